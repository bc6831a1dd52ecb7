import { describe, expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import { LONGEST_EXTERNAL_ID, readMark } from '../../../src/scan/scan-mark.ts';
import { createStepIdentity, type MarkFields } from '../../../src/scan/step-identity.ts';

const HEAD = 'a'.repeat(40);
const SEAL = createSeal('api-token-of-the-test', '1296269');
const RUN = { runId: 42, runAttempt: 2, runUrl: 'https://github.com/acme/shop/actions/runs/42' };
const STEP = { seal: SEAL, checkName: 'Security scan' };
const FIELDS: MarkFields = { pullRequest: 5, headSha: HEAD, baseSha: 'b'.repeat(40), key: 'K'.repeat(22) };

const create = (fields: MarkFields | undefined = FIELDS) => createStepIdentity(RUN, STEP, HEAD, fields);
const scanOf = (scanId: string) => ({ scanId, launchedAt: 1_790_000_000 });
const UNIQUE = /^run:42:2:[0-9a-f-]{36}$/;

describe('the check run of a step', () => {
  test.each([
    ['a pull request', FIELDS],
    ['a merge group', { ...FIELDS, pullRequest: undefined }],
  ])('for %s, the mark in the check run names the scan and the run', (_what, fields) => {
    const identity = create(fields);
    const { externalId, ...shown } = identity.checkRun(scanOf('scan:1'));
    expect(shown).toEqual({ name: 'Security scan', headSha: HEAD, detailsUrl: RUN.runUrl });
    expect(externalId).toBe(identity.mark(scanOf('scan:1')));
    expect(readMark(externalId, SEAL)).toEqual({
      ...fields,
      ...scanOf('scan:1'),
      runId: 42,
      runAttempt: 2,
    });
  });

  test('a check run has another mark for another scan, and the same mark for the same scan and cost', () => {
    const identity = create();
    expect(identity.checkRun(scanOf('s')).externalId).toBe(identity.checkRun(scanOf('s')).externalId);
    expect(identity.checkRun(scanOf('s')).externalId).toBe(create().checkRun(scanOf('s')).externalId);
    expect(identity.checkRun(scanOf('t')).externalId).not.toBe(identity.checkRun(scanOf('s')).externalId);
  });

  test.each([
    ['there is no scan', create(), {}],
    ['there is only the id of a scan', create(), { scanId: 's' }],
    ['there is only the time of a launch', create(), { launchedAt: 1_790_000_000 }],
    ['the change is not known yet', createStepIdentity(RUN, STEP, HEAD, undefined), scanOf('s')],
  ])(
    'the check run of a step has a unique `external_id` instead of a mark if %s',
    (_what, identity, scan) => {
      const { externalId } = identity.checkRun(scan);
      expect(externalId).toMatch(UNIQUE);
      expect(identity.checkRun(scan).externalId).toBe(externalId);
      expect(create().checkRun({}).externalId).not.toBe(externalId);
      expect(identity.mark(scan)).toBeUndefined();
    },
  );

  test('a mark that is too long for a check run is written only into the comment', () => {
    const identity = create();
    const longest = 's'.repeat(LONGEST_EXTERNAL_ID - (identity.mark(scanOf('s')) ?? '').length + 1);
    expect(identity.mark(scanOf(longest))).toHaveLength(LONGEST_EXTERNAL_ID);
    expect(identity.checkRun(scanOf(longest)).externalId).toBe(identity.mark(scanOf(longest)));

    const tooLong = `${longest}s`;
    const { externalId } = identity.checkRun(scanOf(tooLong));
    expect(externalId).toMatch(UNIQUE);
    expect(identity.checkRun(scanOf(tooLong)).externalId).toBe(externalId);
    expect(readMark(identity.mark(scanOf(tooLong)) ?? '', SEAL)).toMatchObject({ scanId: tooLong });
  });

  test('the check run leaves out the cost if the mark would be too long', () => {
    const identity = create();
    const creditsPullRequest = 60;
    const longest = 's'.repeat(LONGEST_EXTERNAL_ID - (identity.mark(scanOf('s')) ?? '').length + 1);
    const { externalId } = identity.checkRun({ ...scanOf(longest), creditsPullRequest });
    expect(readMark(externalId, SEAL)).toMatchObject({ scanId: longest, credits: undefined });
    const whole = identity.mark({ ...scanOf(longest), creditsPullRequest }) ?? '';
    expect(readMark(whole, SEAL)).toMatchObject({ credits: 60 });
  });

  test('a step recognizes its check run after the cost has changed', () => {
    const identity = create();
    const started = identity.checkRun({ ...scanOf('s'), creditsPullRequest: 20 }).externalId;
    const ended = { ...scanOf('s'), creditsPullRequest: 40 };
    expect(identity.checkRun(ended).externalId).not.toBe(started);
    expect(identity.isStarted(started, ended)).toBe(true);
    expect(identity.isStarted(identity.checkRun(scanOf('t')).externalId, ended)).toBe(false);
    for (const other of [{ runAttempt: 3 }, { runId: 43 }]) {
      const { externalId } = createStepIdentity({ ...RUN, ...other }, STEP, HEAD, FIELDS).checkRun(ended);
      expect(identity.isStarted(externalId, ended)).toBe(false);
    }
    const otherKey = create({ ...FIELDS, key: 'L'.repeat(22) }).checkRun(ended).externalId;
    expect(identity.isStarted(otherKey, ended)).toBe(false);
    const unique = identity.checkRun({}).externalId;
    expect(identity.isStarted(unique, {})).toBe(true);
    expect(identity.isStarted(create().checkRun({}).externalId, {})).toBe(false);
  });
});
