import { expect, test } from 'vitest';
import { type FoundMark, openCheckRunOf } from '../../../src/scan/marks.ts';
import { found } from './marked.ts';

const NAME = 'Security scan';
const open = { id: 7, name: NAME, url: 'https://github.com/acme/shop/runs/7', completed: false };
const other = { ...open, id: 6 };
const LEFT = found({}, open);
const take = (marks: readonly FoundMark[]) =>
  openCheckRunOf({ runId: 42, runAttempt: 2 }, marks, NAME, ({ key }) => key === LEFT.key);

const OWNERS: readonly (readonly [when: string, marks: readonly FoundMark[], ownsScan: boolean])[] = [
  ['no other mark names the scan', [LEFT], true],
  ['another check run names another scan', [found({ scanId: 't', runId: 41 }, other), LEFT], true],
  ['a check run of another run names the same scan', [found({ runId: 41 }, other), LEFT], false],
  [
    'a check run with another name names the same scan',
    [found({}, { ...other, name: 'Another scan' }), LEFT],
    false,
  ],
  ['a comment names the same scan', [found({}), LEFT], false],
];
for (const [when, marks, ownsScan] of OWNERS)
  test(`openCheckRunOf returns a check run that ${ownsScan ? 'owns' : 'does not own'} its scan if ${when}`, () => {
    const { id, url } = open;
    expect(take(marks)).toMatchObject({ id, url, scanId: 's', ownsScan });
  });

test.each<[what: string, mark: FoundMark]>([
  ['that is completed', found({}, { ...open, completed: true })],
  ['of another step', found({ key: 'L'.repeat(22) }, open)],
  ['with another name', found({}, { ...open, name: 'Another scan' })],
  ['from this attempt', found({ runAttempt: 2 }, open)],
  ['from a later attempt', found({ runAttempt: 3 }, open)],
  ['that only a comment names', found({})],
])('openCheckRunOf does not return a check run %s', (_what, mark) => {
  expect(take([mark])).toBeUndefined();
});
