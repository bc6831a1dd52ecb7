import type { Environment } from '../environment.ts';
import { issueCommentEvent } from '../events.ts';
import { inSeconds } from '../faults/server-clock.ts';
import type { ActionRun } from '../runner/action-run.ts';
import { plainMarkdown } from './plain-markdown.ts';

const GATE_RUN = 9_000_000_001;
const JOB = 'scangate';
/**
 * The permissions of the gate's workflow and of the triage workflow. Both workflows also have `pull-requests: write`.
 */
const OF_GATE = { contents: 'read', checks: 'write', actions: 'none' } as const;
const OF_TRIAGE = { contents: 'none', checks: 'read', actions: 'write' } as const;
/** A label in the gate's comment. */
const LABEL = /ZK-[0-9a-f]{8}/g;
/**
 * The time between the gate's result and the comment with the command. The triage action requires more than a minute,
 * so that the author of the comment can read the result.
 */
const READING_MS = 2 * 60_000;
const REPLY = '<!-- scangate-reply:';
const SHOWN: ReadonlyMap<string | undefined, string> = new Map([
  ['+1', '👍'],
  ['confused', '😕'],
]);

/**
 * Shows how comments make a blocked check pass, and then block it again. All runs use the bundled actions.
 *
 * 1. The gate blocks the pull request.
 * 2. The first comment is refused.
 * 3. The second comment closes the findings, and the triage action asks GitHub to re-run the job of the gate.
 * 4. The job runs again, and passes.
 * 5. The third comment reopens the findings, and the triage action asks GitHub to re-run the job.
 * 6. The job runs again, and blocks the pull request.
 * 7. Only the first step used credits.
 * @param environment the second token of its service must have the scope `findings:write`
 * @returns true if each step ended as expected
 */
export async function showTriage(environment: Environment, say: (line: string) => void): Promise<boolean> {
  const { github, service, pullRequest } = environment;
  const checks: boolean[] = [];
  const expectStep = (line: string, isAsExpected: boolean) => {
    checks.push(isAsExpected);
    say(`${isAsExpected ? '' : 'NOT AS EXPECTED: '}${line}`);
  };
  const credits = () => {
    const { balance, spent, reserved } = service.ledger();
    return `${balance} left, ${spent} spent, ${reserved} reserved`;
  };

  const first = await environment.run({ runId: GATE_RUN });
  const headSha = github.pullRequests.get(pullRequest)?.headSha ?? '';
  const jobs = [[JOB, first.exitCode === 0 ? 'success' : 'failure']] as const;
  github.workflowRuns.put({ id: GATE_RUN, headSha, jobs });
  const paid = credits();
  const labels = [...new Set(github.comments[0]?.body.match(LABEL))];
  expectStep(
    `1. The gate scans the pull request: ${verdictOf(first)}. Credits: ${paid}.`,
    first.outputs['outcome'] === 'blocked' && first.exitCode === 1 && labels.length > 0,
  );

  const [maintainer = ''] = environment.repository.split('/');
  const answerTo = async (number: number, command: string, note: string) => {
    const body = `${command}\n\n${note}`;
    const comment = github.addComment({ issue: pullRequest, author: maintainer, body });
    say(`${number}. ${maintainer}, who did not write the change, comments: ${command}`);
    const run = await runTriage(environment, comment);
    const reaction = github.reactions.find((one) => one.comment === comment.id)?.content;
    const reply = github.comments.find(({ body }) => body.startsWith(REPLY))?.body ?? '';
    say(`   The triage action answers ${SHOWN.get(reaction) ?? 'nothing'}, and replies:`);
    for (const line of plainMarkdown(reply).split('\n')) say(`   | ${line}`.trimEnd());
    return { run, reaction, reply };
  };
  const hasRerun = ({ run, reaction }: Awaited<ReturnType<typeof answerTo>>) =>
    run.exitCode === 0 && run.outputs['rerun'] === '1' && reaction === '+1';
  const runAgain = async (): Promise<ActionRun & { readonly attempt: number }> => {
    const attempt = github.workflowRuns.all.find(({ id }) => id === GATE_RUN)?.attempt ?? 0;
    Object.assign(github.permissions, OF_GATE);
    const again = await environment.run({ runId: GATE_RUN, runAttempt: attempt });
    github.workflowRuns.complete(GATE_RUN, again.exitCode === 0 ? 'success' : 'failure');
    return { ...again, attempt };
  };
  const changes = () => service.requests.filter(({ method }) => method === 'PATCH').length;

  const all = labels.join(' ');
  const refused = await answerTo(2, `/scangate wont-fix ${all} guarded_elsewhere`, 'The proxy checks it.');
  expectStep(
    '   No finding was changed.',
    refused.run.exitCode === 0 && refused.reaction === 'confused' && changes() === 0,
  );

  const closed = await answerTo(
    3,
    `/scangate false-positive ${all} guarded_elsewhere`,
    'The proxy checks it.',
  );
  expectStep(
    `   ${changes()} findings were changed.`,
    hasRerun(closed) && changes() === labels.length && labels.every((label) => closed.reply.includes(label)),
  );
  const passed = await runAgain();
  expectStep(
    `4. GitHub runs the job again, attempt ${passed.attempt}: ${verdictOf(passed)}. Check run: ${github.checkRuns.at(-1)?.conclusion}.`,
    passed.attempt === 2 && passed.outputs['outcome'] === 'passed' && passed.exitCode === 0,
  );

  const undone = await answerTo(5, `/scangate reopen ${all}`, 'The proxy was removed.');
  expectStep(`   ${changes() - labels.length} findings were changed.`, hasRerun(undone));
  const blocked = await runAgain();
  expectStep(
    `6. GitHub runs the job again, attempt ${blocked.attempt}: ${verdictOf(blocked)}. Check run: ${github.checkRuns.at(-1)?.conclusion}.`,
    blocked.attempt === 3 && blocked.outputs['outcome'] === 'blocked' && blocked.exitCode === 1,
  );
  const isSame = credits() === paid && service.scans().length === 1;
  expectStep(`7. Credits: ${credits()}, ${isSame ? 'the same as after step 1' : `not ${paid}`}.`, isSame);
  return checks.every(Boolean);
}

type Comment = ReturnType<Environment['github']['addComment']>;

/** Makes the event of a comment on the pull request. The comment is dated two minutes later than it was written. */
export function commentEvent(
  { github: { serverUrl }, repository, pullRequest: number }: Environment,
  { id, author, body, createdAt: written }: Comment,
) {
  const createdAt = inSeconds(new Date(Date.parse(written) + READING_MS));
  const visibility = 'private';
  return issueCommentEvent({ repository, visibility, serverUrl, number, id, author, body, createdAt });
}

/** Runs the workflow of docs/triage.md for a comment. The comment is dated two minutes after the result. */
function runTriage(environment: Environment, comment: Comment): Promise<ActionRun> {
  Object.assign(environment.github.permissions, OF_TRIAGE);
  return environment.run({
    action: 'triage',
    runId: GATE_RUN + 1,
    event: { name: 'issue_comment', payload: commentEvent(environment, comment) },
    inputs: { 'triage-token': environment.service.tokens[1]?.token ?? '' },
  });
}

function verdictOf({ outputs, exitCode }: ActionRun): string {
  const blocking = outputs['findings-blocking'] ?? '';
  return `${outputs['outcome']}, ${blocking} blocking, exit code ${exitCode}`;
}
