import { nameOf } from './change-at.ts';
import type { SimulatedHistory } from './simulated-history.ts';

/** Prints a history: each run with its end, its log and its requests. Times are in milliseconds. */
export function traceOf({ jobs, exchanges, environment, commits, strangers }: SimulatedHistory): string {
  const lines = jobs.flatMap((job) => {
    const { plan, startedAt, mainEndedAt, exitCode, outputs, post, log } = job;
    const { number, runId, attempt, headSha, end } = plan;
    const { pull, action, step, reuseScan } = job.run;
    const options = `${action} of #${pull}, ${step}${reuseScan ? '' : ', reuse-scan: false'}`;
    const verdict = exitCode === undefined ? 'killed' : `${exitCode} ${outputs?.outcome} ${outputs?.reason}`;
    return [
      `run ${number} (${runId}, attempt ${attempt}, ${options}, head ${nameOf(commits, headSha)}, ends ${JSON.stringify(end)}):`,
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
  const scans = environment.service.scans.map(({ id, status, commit, baseCommit, createdAt, found }) => {
    const range = `${nameOf(commits, baseCommit)}..${nameOf(commits, commit)}`;
    const by = strangers.get(id)?.scope;
    const from = createdAt.getTime() - environment.startedAt;
    return `${id} of ${range}: ${status}, from ${at(from)}, ${found.length} findings${by === undefined ? '' : `, of a stranger (${by})`}`;
  });
  const pulls = environment.pulls.numbers().flatMap((number) =>
    environment.pulls.momentsOf(number).map(({ from, shownFrom, record }) => {
      const head = nameOf(commits, record.headSha);
      return `#${number} from ${at(from)}, shown from ${at(shownFrom)}: ${record.state}, ${head} onto ${record.baseRef}`;
    }),
  );
  const marks = environment.github.checkRuns.all.map(
    ({ id, name, headSha, status, conclusion, externalId }) =>
      `check run ${id} ${name} on ${nameOf(commits, headSha)}: ${status} ${conclusion}, ${externalId?.slice(0, 40)}`,
  );
  return [...lines, ...scans, ...pulls, ...marks].join('\n');
}

function at(ms: number | undefined): string {
  return ms === undefined ? '…' : String(Math.round(ms));
}
