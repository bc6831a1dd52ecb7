import { expect, test } from 'vitest';
import {
  type CommentFacts,
  joinState,
  readFacts,
  type StateOwner,
  sealFacts,
  splitState,
} from '../../../src/domain/comment-state.ts';
import { MOST_KNOWN, nextHistory } from '../../../src/domain/history.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { judge } from '../../../src/domain/verdict.ts';
import { hiddenLines, readState } from '../../../src/github/comment-marker.ts';
import { completed, HEAD, POLICY, sampleFinding } from '../report/sample-report.ts';

const OWNER: StateOwner = { pullRequest: 128, checkName: 'Security scan' };
const TOKEN = 'the API token';
const SEAL = createSeal(TOKEN, '1296269');
const groups = (count: number) => {
  const idOf = (_: unknown, index: number) => String(index).padStart(8, '0');
  const all = Array.from({ length: count }, idOf).map((id) => sampleFinding({ id, label: `ZK-${id}` }));
  return judge(completed(all), POLICY).findings;
};
const HISTORY = nextHistory(nextHistory(undefined, 'a'.repeat(40), groups(2)), HEAD, groups(3));
const PAGE = { scanId: 'scan:1;/>,', publicId: 'p/1', gated: true };
const FACTS: CommentFacts = { history: HISTORY, publication: PAGE };
const SEALED = sealFacts(FACTS, OWNER, SEAL);

const mixed = judge(
  completed(
    ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'ODD'].map((word) => sampleFinding({ id: word, word })),
  ),
  { ...POLICY, severityThreshold: 'info' },
).findings;
const unlabelled = { ...groups(0), reported: [sampleFinding({ id: undefined, label: 'ZK-<b>' })] };

test.each<[what: string, facts: CommentFacts]>([
  ['everything', FACTS],
  ['nothing', {}],
  ['a page without a password', { publication: { ...PAGE, gated: false } }],
  ['the first push', { history: nextHistory(undefined, HEAD, groups(1)) }],
  ['a push without findings', { history: nextHistory(undefined, HEAD, groups(0)) }],
  ['findings of every severity', { history: nextHistory(undefined, HEAD, mixed) }],
  ['a finding without id and label', { history: nextHistory(undefined, HEAD, unlabelled) }],
])('readFacts reads what sealFacts writes: %s', (_what, facts) => {
  const sealed = sealFacts(facts, OWNER, SEAL);
  expect(sealed).toMatch(/^[!-:=?-~]+$/);
  expect(readFacts(sealed, OWNER, SEAL)).toEqual(facts);
});

test('the history shows which findings blocked', () => {
  const sealed = sealFacts({ history: nextHistory(undefined, HEAD, mixed) }, OWNER, SEAL);
  const { history } = readFacts(sealed, OWNER, SEAL);
  const blocking = history?.findings.filter(({ blocks }) => blocks).map(({ level }) => level);
  expect(blocking).toEqual(['unknown', 'critical', 'high']);
});

test.each<[string, sealed: string, owner?: Partial<StateOwner>, seal?: typeof SEAL]>([
  ['another pull request', SEALED, { pullRequest: 129 }],
  ['another check', SEALED, { checkName: 'Other' }],
  ['another token', SEALED, {}, createSeal('another token', '1296269')],
  ['another repository', SEALED, {}, createSeal(TOKEN, '1296270')],
  ['an empty token', sealFacts(FACTS, OWNER, createSeal('', '1296269')), {}, createSeal('', '1296269')],
])('readFacts returns nothing for %s', (_what, sealed, owner, seal = SEAL) => {
  expect(readFacts(sealed, { ...OWNER, ...owner }, seal)).toEqual({});
});

test('the form of sealed facts stays the same, because later versions read it', () => {
  expect(sealFacts({ publication: PAGE }, OWNER, SEAL)).toBe(
    '/scan%3A1%3B%2F%3E%2C:p%2F1:1/ZsQrcvUsdDjhN_IhMdsdpJSv7qsy1OwSj4X3ue9CxO4',
  );
});

test('readFacts returns nothing if the text was changed', () => {
  const changed = Array.from(
    SEALED,
    (char, place) => SEALED.slice(0, place) + (char === 'A' ? 'B' : 'A') + SEALED.slice(place + 1),
  );
  for (const text of [...changed, '', '//', '////', 'h1:abc', `${SEALED}/`.slice(1)])
    expect(readFacts(text, OWNER, SEAL), text).toEqual({});
});

test('splitState splits what joinState joins, and a state without a result counts as the best result', () => {
  const states = [
    { mark: 'v2:x', badness: 4, sealed: SEALED },
    { mark: '', badness: 0, sealed: '' },
    { mark: 'v2:x', badness: 1, sealed: '' },
  ];
  expect(states.map((state) => splitState(joinState(state)))).toEqual(states);
  const without = [undefined, '', 'v2:x', ';h1:abc', ';;', ';10;', ';x;', 'v2:x;-1;'];
  expect(without.filter((text) => splitState(text).badness !== 0)).toEqual([]);
  for (const text of [undefined, '']) expect(splitState(text)).toEqual({ mark: '', badness: 0, sealed: '' });
});

test('the hidden line of a comment can hold the longest state', () => {
  const history = nextHistory(HISTORY, 'b'.repeat(40), groups(MOST_KNOWN * 2));
  const publication = { scanId: ':'.repeat(256), publicId: ':'.repeat(256), gated: true };
  const sealed = sealFacts({ history, publication }, OWNER, SEAL);
  const mark = `v1:${'%3A'.repeat(256)}:${'0'.repeat(64)}:${'0'.repeat(64)}`;
  const state = joinState({ mark, badness: 4, sealed });
  const marker = { checkName: 'x', headSha: HEAD, runId: 1, runAttempt: 1 };
  expect(readState(hiddenLines(marker, state))).toBe(state);
  expect(splitState(state)).toEqual({ mark, badness: 4, sealed });
  expect(readFacts(sealed, OWNER, SEAL)).toEqual({ history, publication });
  expect(state.length).toBeLessThan(20_000);
});
