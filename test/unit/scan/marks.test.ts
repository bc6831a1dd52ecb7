import { test } from 'vitest';
import { type FoundMark, openCheckRunOf } from '../../../src/scan/marks.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { found } from './marked.ts';

const NAME = 'Security scan';
const OPEN = { id: 7, name: NAME, url: 'https://github.com/acme/shop/runs/7', completed: false };
const OTHER = { ...OPEN, id: 6 };
const LEFT = found({}, OPEN);

/** The open check run that an earlier attempt left, and whether it owns its scan. */
function leftBy(marks: readonly FoundMark[]): string {
  const left = openCheckRunOf({ runId: 42, runAttempt: 2 }, marks, NAME, ({ key }) => key === LEFT.key);
  return left === undefined
    ? 'none'
    : `${left.url} ${left.ownsScan ? 'owns' : 'does not own'} ${left.scanId}`;
}

test('the open check run of an earlier attempt is found as marks.txt shows', async () => {
  await expectTable('marks', {
    'openCheckRunOf, if': casesOf(leftBy, {
      'no other mark names the scan': [LEFT],
      'another check run names another scan': [found({ scanId: 't', runId: 41 }, OTHER), LEFT],
      'a check run of another run names the same scan': [found({ runId: 41 }, OTHER), LEFT],
      'a check run with another name names the same scan': [
        found({}, { ...OTHER, name: 'Another scan' }),
        LEFT,
      ],
      'a comment names the same scan': [found({}), LEFT],
      'the check run is completed': [found({}, { ...OPEN, completed: true })],
      'the check run is of another step': [found({ key: 'L'.repeat(22) }, OPEN)],
      'the check run has another name': [found({}, { ...OPEN, name: 'Another scan' })],
      'the check run is of this attempt': [found({ runAttempt: 2 }, OPEN)],
      'the check run is of a later attempt': [found({ runAttempt: 3 }, OPEN)],
      'only a comment has the mark': [found({})],
    }),
  });
});
