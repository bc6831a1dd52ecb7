import type { SimulatedHistory } from './simulated-history.ts';

/** A history for people: each run with its end, its log and its requests, times in milliseconds. */
export function traceOf({ jobs, exchanges, environment }: SimulatedHistory): string {
  const lines = jobs.flatMap((job) => {
    const { plan, startedAt, mainEndedAt, exitCode, outputs, post, log } = job;
    const { number, runId, attempt, headSha, end } = plan;
    const verdict = exitCode === undefined ? 'killed' : `${exitCode} ${outputs?.outcome} ${outputs?.reason}`;
    return [
      `run ${number} (${runId}, attempt ${attempt}, head ${headSha.slice(0, 7)}, ends ${JSON.stringify(end)}):`,
      `  ${at(startedAt)} to ${at(mainEndedAt)}: ${verdict}; post ${JSON.stringify(post)}`,
      ...log.map((line) => `  | ${line}`),
      ...exchanges
        .filter(({ process }) => process.run === number)
        .map(({ process, sentAt, arrivedAt, endedAt, point, fault, answer }) =>
          [
            `  ${process.phase} ${at(sentAt)} > ${at(arrivedAt)} > ${at(endedAt)} ${point}`,
            answer === undefined ? '' : ` ${answer.status}`,
            fault === undefined ? '' : ` (${fault})`,
          ].join(''),
        ),
    ];
  });
  const scans = environment.service.scans.map(
    ({ id, status, commit, createdAt }) =>
      `${id} of ${commit.slice(0, 7)}: ${status}, from ${createdAt.toISOString()}`,
  );
  return [...lines, ...scans].join('\n');
}

function at(ms: number | undefined): string {
  return ms === undefined ? '…' : String(Math.round(ms));
}
