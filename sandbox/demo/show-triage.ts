import type { Environment } from '../environment.ts';
import { issueCommentEvent } from '../events.ts';
import type { ActionRun } from '../runner/action-run.ts';

const GATE_RUN = 9_000_000_001;
const JOB = 'scangate';
const COMMAND = '/scangate recheck';

/**
 * From blocked to green after triage: the gate, triage in the fake service, a comment, the triage action, and the job that it
 * re-runs. Every run is one of the bundled actions.
 * @returns whether each step ended as expected, without a credit after the first
 */
export async function showTriage(environment: Environment, say: (line: string) => void): Promise<boolean> {
  const { github, service, repository, pullRequest } = environment;
  const checks: boolean[] = [];
  const expectStep = (line: string, isAsExpected: boolean) => {
    checks.push(isAsExpected);
    say(`${isAsExpected ? '' : 'NOT AS EXPECTED: '}${line}`);
  };
  const credits = () => {
    const { balance, spent, reserved } = service.ledger();
    return `${balance} left, ${spent} spent, ${reserved} reserved`;
  };

  const startedAt = new Date();
  const first = await environment.run({ runId: GATE_RUN });
  const headSha = github.pullRequests.get(pullRequest)?.headSha ?? '';
  const jobs = [[JOB, first.exitCode === 0 ? 'success' : 'failure']] as const;
  github.workflowRuns.put({ id: GATE_RUN, headSha, createdAt: startedAt, startedAt, jobs });
  const paid = credits();
  expectStep(
    `1. The gate scans the pull request: ${verdictOf(first)}. Credits: ${paid}.`,
    first.outputs['outcome'] === 'blocked' && first.exitCode === 1,
  );

  const findings = service.scans()[0]?.findingIds ?? [];
  for (const id of findings) service.control.triage(id, { resolutionStatus: 'FALSE_POSITIVE' });
  expectStep(
    `2. A user closes the ${findings.length} findings in the service as FALSE_POSITIVE.`,
    findings.length > 0,
  );

  const [author = ''] = repository.split('/');
  const comment = github.addComment({ issue: pullRequest, author, body: COMMAND });
  Object.assign(github.permissions, { actions: 'write' });
  const triage = await environment.run({
    action: 'triage',
    runId: GATE_RUN + 1,
    event: {
      name: 'issue_comment',
      payload: issueCommentEvent({
        repository,
        visibility: 'private',
        serverUrl: github.serverUrl,
        number: pullRequest,
        id: comment.id,
        author,
        body: COMMAND,
        createdAt: comment.createdAt,
      }),
    },
  });
  const reaction = github.reactions.find((one) => one.comment === comment.id)?.content;
  expectStep(
    `3. ${author} comments ${COMMAND}. The triage action answers ${reaction === '+1' ? '👍' : (reaction ?? 'nothing')}: ${triage.log.trim()}`,
    triage.exitCode === 0 && triage.outputs['rerun'] === '1' && reaction === '+1',
  );

  const attempt = github.workflowRuns.all.find(({ id }) => id === GATE_RUN)?.attempt ?? 0;
  const again = await environment.run({ runId: GATE_RUN, runAttempt: attempt });
  github.workflowRuns.complete(GATE_RUN, again.exitCode === 0 ? 'success' : 'failure');
  expectStep(
    `4. GitHub runs the job again, attempt ${attempt}: ${verdictOf(again)}. Check run: ${github.checkRuns.at(-1)?.conclusion}.`,
    attempt === 2 && again.outputs['outcome'] === 'passed' && again.exitCode === 0,
  );
  const isSame = credits() === paid && service.scans().length === 1;
  expectStep(`5. Credits: ${credits()}, ${isSame ? 'the same as after step 1' : `not ${paid}`}.`, isSame);
  return checks.every(Boolean);
}

function verdictOf({ outputs, exitCode }: ActionRun): string {
  const blocking = outputs['findings-blocking'] ?? '';
  return `${outputs['outcome']}, ${blocking} blocking, exit code ${exitCode}`;
}
