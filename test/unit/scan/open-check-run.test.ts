import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import type { FoundMark } from '../../../src/scan/find-marks.ts';
import { findOpenCheckRuns, openCheckRunOf } from '../../../src/scan/open-check-run.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { checkRun, found, markText, SEAL } from './marked.ts';

const NAME = 'Security scan';
/** Accepts the check runs of any step. */
const ANY = () => true;
const RE_RUN = { runId: 42, runAttempt: 2 };
const open = { id: 7, name: NAME, url: 'https://github.com/acme/shop/runs/7', completed: false };

describe('openCheckRunOf', () => {
  test('finds the check run of this run by name, mark and run id', () => {
    expect(openCheckRunOf(RE_RUN, [found({}, open)], NAME, ANY)).toMatchObject({
      id: 7,
      url: open.url,
      scanId: 's',
      ownsScan: true,
    });
  });

  test.each<[string, FoundMark, boolean]>([
    ['a check run of another run names it', found({ runId: 41 }, { ...open, id: 6 }), false],
    ['another check run of this run names it', found({}, { ...open, id: 6, name: 'Another scan' }), false],
    ['a comment names it', found({}), false],
    ['another check run names another scan', found({ scanId: 't', runId: 41 }, { ...open, id: 6 }), true],
  ])('says whether another mark names the scan: %s', (_, other, ownsScan) => {
    const marks = [other, found({}, open)];
    expect(openCheckRunOf(RE_RUN, marks, NAME, ANY)).toMatchObject({ id: 7, ownsScan });
  });

  test('ignores a check run of another step', () => {
    const mark = found({}, open);
    expect(openCheckRunOf(RE_RUN, [mark], NAME, () => false)).toBeUndefined();
    expect(openCheckRunOf(RE_RUN, [mark], NAME, ({ key }) => key === mark.key)).toMatchObject({ id: 7 });
  });

  test.each<[string, FoundMark]>([
    ['completed', found({}, { ...open, completed: true })],
    ['named differently', found({}, { ...open, name: 'Another scan' })],
    ['from another run', found({ runId: 43 }, open)],
    ['from this attempt', found({ runAttempt: 2 }, open)],
    ['from a later attempt', found({ runAttempt: 3 }, open)],
    ['only in a comment', found({})],
  ])('ignores a check run that is %s', (_, mark) => {
    expect(openCheckRunOf(RE_RUN, [mark], NAME, ANY)).toBeUndefined();
  });
});

describe('findOpenCheckRuns', () => {
  afterEach(() => {
    const pending = nock.pendingMocks();
    nock.cleanAll();
    expect(pending).toEqual([]);
  });
  const find = (runAttempt: number, seal = SEAL) =>
    findOpenCheckRuns(
      { github: client(), signal: NEVER_ABORTED, seal },
      { runId: 42, runAttempt },
      SHA.head,
      NAME,
    );
  const list = () => github().get(`/repos/acme/shop/commits/${SHA.head}/check-runs`).query(true);

  test('reads the check runs of the head', async () => {
    list().reply(200, { check_runs: [checkRun(7, markText({ scanId: 'lost' }))] });
    expect(await find(2)).toMatchObject([{ id: 7, scanId: 'lost' }]);
  });

  test('finds the check runs of several steps with the same name, the most recent launch first', async () => {
    const older = markText({ scanId: 'older', launchedAt: 1_790_000_000 });
    const newer = markText({ scanId: 'newer', launchedAt: 1_790_000_005 });
    list().reply(200, { check_runs: [checkRun(7, older), checkRun(8, newer)] });
    expect(await find(2)).toMatchObject([
      { id: 8, scanId: 'newer', ownsScan: true },
      { id: 7, scanId: 'older', ownsScan: true },
    ]);
  });

  test('finds none if the list cannot be read', async () => {
    list().reply(403, { message: 'no' });
    expect(await find(2)).toEqual([]);
  });

  test('sends no request on the first attempt, or without the token that proves marks', async () => {
    expect(await find(1)).toEqual([]);
    expect(await find(2, createSeal('', '1296269'))).toEqual([]);
  });
});
