import { plainMarkdown } from '../../../sandbox/demo/plain-markdown.ts';
import { TOKEN_AUTHOR } from '../../../sandbox/github/comments.ts';
import { isObject } from '../../../sandbox/json.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import type { TestEnvironment } from '../../support/driver/environment.ts';
import { countBlocking, notesOf, readFinding } from '../shown-finding.ts';
import { accountOf, mayChange } from './cast.ts';
import { CHANGES, isChange } from './plan.ts';
import type { Asked, Ledgers, Truth } from './truth.ts';

/**
 * For this time after a result, the action obeys no command. The author of the command may have seen older findings.
 */
const YOUNG_MS = 60_000;

/** Returns the replies that the triage action wrote. */
export function repliesOf({ github }: TestEnvironment): readonly string[] {
  return github.comments
    .filter(({ author, body }) => author === TOKEN_AUTHOR.author && !body.includes('<!-- scangate:v1'))
    .map(({ body }) => body);
}

/** Checks what docs/triage.md promises about one command. Does not depend on how the code works. */
export async function judgeCommand(
  truth: Truth,
  asked: Asked,
  count: (what: string, by?: number) => void,
): Promise<readonly string[]> {
  const broken: string[] = [];
  const must = (isKept: boolean, what: string) => {
    if (!isKept)
      broken.push(`${what}\n  ${asked.comment.by}: ${asked.body.split('\n')[0]}\n  ${asked.run.log}`);
  };
  const { environment, gate, findingIds } = truth;
  const { comment, run, named, wrong } = asked;
  const { service, github } = environment;
  const [status, code] = isChange(comment.word) ? CHANGES[comment.word] : [undefined, undefined];
  const role = truth.roleOf(comment.by);
  const isHeard =
    accountOf(comment.by) === 'user' &&
    comment.state === 'new' &&
    ['admin', 'maintain', 'write'].includes(role);
  const isMeant = status !== undefined && named.length + wrong.length > 0 && !comment.replayed;
  const isFresh = truth.isOpen && !truth.isPending && gate.endedAt <= asked.writtenAt - YOUNG_MS;
  const may = isHeard && mayChange(comment.by, role, truth.commits, truth.who);
  const isAdmitted = may && isMeant && isFresh;
  const isObeyed = isAdmitted && wrong.length === 0;
  count(isObeyed ? 'commands that may' : 'commands that may not');

  const sent = service.requests.slice(asked.from.service).filter(({ method }) => method !== 'GET');
  must(isObeyed || sent.length === 0, 'a change was sent for a command that may not');
  count('changes', sent.length);
  for (const { method, path, body } of sent) {
    const id = decodeURIComponent(/\/findings\/([^/]+)\/resolution$/.exec(path)?.[1] ?? '');
    must(method === 'PATCH' && named.includes(id) && findingIds.includes(id), `a write to ${method} ${path}`);
    must(
      isObject(body) && body['resolutionStatus'] === status && body['reason'] === undefined,
      'another status',
    );
    const note = isObject(body) && isObject(body['note']) ? String(body['note']['content']) : '';
    const said = [
      `by ${comment.by} `,
      `/pull/${environment.pullRequest}\n`,
      `- Head commit: ${gate.headSha}`,
      `- Reason code: ${(comment.withReason ? code : undefined) ?? 'none given'}`,
      `#issuecomment-${asked.commentId}`,
    ];
    for (const part of said) must(note.includes(part), `the note does not name ${part}`);
  }

  const { before, after } = asked.ledger;
  must(JSON.stringify(before) === JSON.stringify(after), 'the triage action used credits');
  const reactions = github.reactions.slice(asked.from.reactions).map(({ content }) => content);
  const isRerun = asked.attempt.after > asked.attempt.before;
  must(!isRerun || isHeard, 'a re-run for one who may not');
  must(!isRerun || comment.word === 'recheck' || isObeyed, 'a re-run after a refusal');
  must(run.exitCode !== 0 || !run.log.includes('##[error]'), 'an error that is green');
  if (!isHeard) {
    must(reactions.length === 0, 'a reaction for one who may not');
    must(repliesOf(environment).join() === asked.from.replies, 'a reply for one who may not');
  }

  const reply = plainMarkdown(repliesOf(environment).at(-1) ?? '');
  if (sent.length > named.length) {
    for (const id of named) {
      const notes = notesOf(await readFinding(environment, id), asked.commentId).length;
      const isSaid = /\d notes of this command|note of this command twice/.test(`${reply}${run.log}`);
      must(notes <= 2, `${notes} notes`);
      must(notes < 2 || isSaid, 'two notes, and nothing says so');
      if (notes === 2) count('two notes, and it says so');
    }
  }
  if (asked.fault.struck()) {
    count('commands with a fault');
    return broken;
  }

  // Without a fault, the action does everything that the command asks for, and nothing else.
  if (isObeyed) {
    must(sent.length === named.length, `${sent.length} changes for ${named.length} findings`);
    must(reactions.join() === '+1', `the reaction is ${reactions.join()}`);
    must(run.exitCode === 0, `exit code ${run.exitCode}`);
  } else if (isHeard && comment.word !== 'recheck' && !comment.replayed) {
    must(reactions.join() === 'confused', `the reaction to a refused command is ${reactions.join()}`);
    must(/\. [A-Z]/.test(reply), `the reply has no next step: ${reply}`);
    if (isAdmitted)
      for (const label of wrong) must(reply.includes(label), `the reply does not name ${label}`);
    if (isAdmitted && named.length > 0) count('refused for one label');
    count('refused with a reply');
  }
  if (isRerun) count(`re-run by ${comment.word === 'recheck' ? 'recheck' : 'a change'}`);
  return broken;
}

/** Checks that a re-run after triage launches nothing, and passes only if no finding blocks. */
export async function judgeRerun(
  environment: TestEnvironment,
  run: ActionRun,
  { before, after }: Ledgers,
): Promise<readonly string[]> {
  const broken: string[] = [];
  if (JSON.stringify(before) !== JSON.stringify(after)) broken.push(`a re-run used credits\n${run.log}`);
  if (run.outputs['outcome'] === 'passed') {
    const open = await countBlocking(environment, run.outputs['scan-id'] ?? '');
    if (open > 0) broken.push(`green with ${open} findings that block\n${run.log}`);
  }
  return broken;
}

export function judgeSweep(
  { service }: TestEnvironment,
  from: number,
  { before, after }: Ledgers,
): readonly string[] {
  const writes = service.requests.slice(from).filter(({ method }) => method !== 'GET');
  const isFree = JSON.stringify(before) === JSON.stringify(after);
  return [
    ...(writes.length > 0 ? ['a sweep wrote to the service'] : []),
    ...(isFree ? [] : ['a sweep used credits']),
  ];
}
