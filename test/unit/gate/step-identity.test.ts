import { describe, expect, test } from 'vitest';
import { createStepIdentity, type MarkFields } from '../../../src/gate/step-identity.ts';
import { LONGEST_EXTERNAL_ID, readMark } from '../../../src/scan/scan-mark.ts';

const HEAD = 'a'.repeat(40);
const TOKEN = 'api-token-of-the-test';
const RUN = { runId: 42, runAttempt: 2, runUrl: 'https://github.com/acme/shop/actions/runs/42' };
const INPUTS = { apiToken: TOKEN, checkName: 'Security scan' };
const FIELDS: MarkFields = { pullRequest: 5, headSha: HEAD, baseSha: 'b'.repeat(40), key: 'K'.repeat(22) };

const create = (fields: MarkFields | undefined = FIELDS) => createStepIdentity(RUN, INPUTS, HEAD, fields);
const UNIQUE = /^run:42:2:[0-9a-f-]{36}$/;

describe('the check run of a step', () => {
  test('carries the mark of its scan, made by this run', () => {
    const identity = create();
    const { externalId, ...shown } = identity.checkRun('scan:1');
    expect(shown).toEqual({ name: 'Security scan', headSha: HEAD, detailsUrl: RUN.runUrl });
    expect(externalId).toBe(identity.mark('scan:1'));
    expect(readMark(externalId, TOKEN)).toEqual({ ...FIELDS, scanId: 'scan:1', runId: 42, runAttempt: 2 });
  });

  test('carries the same mark each time, and another one for another scan', () => {
    const identity = create();
    expect(identity.checkRun('s').externalId).toBe(identity.checkRun('s').externalId);
    expect(identity.checkRun('s').externalId).toBe(create().checkRun('s').externalId);
    expect(identity.checkRun('t').externalId).not.toBe(identity.checkRun('s').externalId);
  });

  test.each([
    ['without a scan', create(), undefined],
    ['before its change is known', createStepIdentity(RUN, INPUTS, HEAD, undefined), 's'],
  ])('%s is unique to the step, the same each time, and proves nothing', (_what, identity, scanId) => {
    const { externalId } = identity.checkRun(scanId);
    expect(externalId).toMatch(UNIQUE);
    expect(identity.checkRun(scanId).externalId).toBe(externalId);
    expect(create().checkRun(undefined).externalId).not.toBe(externalId);
    expect(identity.mark(scanId)).toBeUndefined();
  });

  test('with a mark that is too long for it is unique, while the comment still has the mark', () => {
    const identity = create();
    const longest = 's'.repeat(LONGEST_EXTERNAL_ID - (identity.mark('s') ?? '').length + 1);
    expect(identity.mark(longest)).toHaveLength(LONGEST_EXTERNAL_ID);
    expect(identity.checkRun(longest).externalId).toBe(identity.mark(longest));

    const tooLong = `${longest}s`;
    const { externalId } = identity.checkRun(tooLong);
    expect(externalId).toMatch(UNIQUE);
    expect(identity.checkRun(tooLong).externalId).toBe(externalId);
    expect(readMark(identity.mark(tooLong) ?? '', TOKEN)).toMatchObject({ scanId: tooLong });
  });

  test('of a merge group carries a mark without a pull request', () => {
    const identity = create({ ...FIELDS, pullRequest: undefined });
    expect(readMark(identity.checkRun('s').externalId, TOKEN)).toMatchObject({ pullRequest: undefined });
  });
});
