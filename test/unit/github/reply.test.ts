import { expect, test } from 'vitest';
import { replyLine, syncReply } from '../../../src/github/reply.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { type Happens, type Posted, pullRequestWith } from './posted-comments.ts';

/** A reply of the action to an earlier command. */
function reply(id: number, text = 'Earlier.'): Posted {
  return { id, body: `${replyLine('Security scan')}\n${text}` };
}

/** Makes another app the author of the posted replies. The token then seems to belong to that app. */
function asOtherApp(posted: Posted[]): void {
  const user = { login: 'gate-app[bot]', type: 'Bot' };
  posted.splice(0, posted.length, ...posted.map((one) => ({ ...one, user })));
}

const HIDDEN = { 'state 1': 403, 'pull 1': 403, 'state 2': 403, 'pull 2': 403 } as const;
const LOST_EDIT = { 'edit 1': 502, 'edit 2': 502, 'edit 3': 502 } as const;

type Row = readonly [what: string, before: readonly Posted[], happens?: Happens, done?: readonly string[]];
const ROWS: readonly Row[] = [
  ['no reply', []],
  ['a reply', [reply(7)]],
  ['a reply of another account', [{ ...reply(7), user: { login: 'other[bot]', type: 'Bot' } }]],
  ['several replies', [reply(9), reply(7)]],
  ['another run posts a reply too', [], { 'post 1': (posted) => posted.unshift(reply(50, 'Other.')) }],
  ['a user removes the reply during the edit', [reply(7)], { 'edit 1': 404 }],
  ['403 for the edit', [reply(7)], { 'edit 1': 403 }],
  ['a lost answer to the edit', [reply(7)], LOST_EDIT, ['edit 3']],
  ['a lost edit', [reply(7)], LOST_EDIT],
  ['403 for the edit, and a lost request', [reply(7)], { 'edit 1': 403, 'post 1': 502 }],
  ['403 for the pull request', [reply(7)], HIDDEN],
  ['an unknown login', [], { ...HIDDEN, 'list 1': asOtherApp }],
  ['a lost answer', [], { 'post 1': 502 }, ['post 1']],
  ['a lost request', [], { 'post 1': 502 }],
  ['a lost request, and 403 for the list', [], { 'post 1': 502, 'list 1': 403 }],
  ['two lost requests', [], { 'post 1': 502, 'post 2': 502 }],
  ['403 for the reply', [], { 'post 1': 403 }],
  ['403 for the edit and the reply', [reply(7)], { 'edit 1': 403, 'post 1': 403 }],
];

/** Writes the reply `Done.` Says whether that succeeds, the requests, and the comments there are then. */
async function described([what, before, happens = {}, done = []]: Row, signal = NEVER_ABORTED) {
  const pull = pullRequestWith(before, { happens, done });
  const result = await syncReply(pull.github.until(signal), 5, 'Security scan', 'Done.');
  const texts = pull.posted.map(({ id, body }) => `${id} ${body.split('\n').at(-1)}`);
  const end = result.ok ? 'done' : result.error.kind;
  return [`${what}:`, `${end}: ${pull.steps()}`, ...texts].join('\n  ');
}

test('syncReply updates the newest reply, and posts a new one only if it is surely missing', async () => {
  const lines = await Promise.all(ROWS.map((row) => described(row)));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/reply.txt');
});

test.each([
  ['post', []],
  ['edit', [reply(7)]],
] as const)(
  'syncReply posts no other reply if the run is stopped during the request %s',
  async (step, before) => {
    const stop = new AbortController();
    const stopped = { [`${step} 1`]: () => stop.abort() };
    expect(await described(['', before, stopped], stop.signal)).toContain(`\n  stopped: state ${step}`);
  },
);
