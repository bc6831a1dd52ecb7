import { describe, expect, test } from 'vitest';
import { launchBody, publishBody, readLaunchBody, unreadableFields } from '../../src/scan-api/wire-writes.ts';

const SHA = 'a'.repeat(40);

describe('the launch body', () => {
  const fields = { repositoryId: 'r', presetRef: 'p', creditBudget: undefined, baseCommit: SHA, commit: SHA };

  test('leaves out what has no value', () => {
    expect(launchBody(fields)).toEqual({
      repositoryId: 'r',
      presetRef: 'p',
      baseCommit: SHA,
      commit: SHA,
    });
  });

  test('is merged with the launch parameters, where null removes', () => {
    const body = launchBody(fields, { commit: null, sha: SHA, creditBudget: 9, deep: { kept: null } });
    expect(body).toEqual({
      repositoryId: 'r',
      presetRef: 'p',
      baseCommit: SHA,
      sha: SHA,
      creditBudget: 9,
      deep: { kept: null },
    });
    expect(readLaunchBody(body)).toEqual({ ...fields, creditBudget: 9, commit: undefined });
  });

  test('names the fields that no check can read', () => {
    const body = launchBody(fields, { creditBudget: '50', commit: { sha: SHA }, presetRef: 7 });
    expect(unreadableFields(body)).toEqual(['presetRef', 'creditBudget']);
    expect(unreadableFields(launchBody(fields, { baseCommit: null }))).toEqual([]);
  });
});

test('a page is asked for with or without a password', () => {
  expect(publishBody(true)).toEqual({ withPassword: true });
  expect(publishBody(false)).toEqual({ withPassword: false });
});
