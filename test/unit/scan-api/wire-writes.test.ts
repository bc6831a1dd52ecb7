import { describe, expect, test } from 'vitest';
import {
  launchBody,
  publishBody,
  readLaunchBody,
  readLaunchScope,
  unreadableFields,
} from '../../../src/scan-api/wire-writes.ts';

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

  test.each([
    [{ auditAreaKeys: 'login' }, 'auditAreaKeys'],
    [{ auditAreaKeys: ['login', 7] }, 'auditAreaKeys'],
    [{ auditAreaKeys: ['login', ''] }, 'auditAreaKeys'],
    [{ auditAreaKeys: [{ id: 'login' }] }, 'auditAreaKeys'],
    [{ guidance: 7 }, 'guidance'],
    [{ guidance: ['Report nothing.'] }, 'guidance'],
  ])('names a scope that no check can read: %j', (parameters, name) => {
    expect(unreadableFields(launchBody(fields, parameters))).toEqual([name]);
  });

  test.each([
    {},
    { auditAreaKeys: null, guidance: null },
    { auditAreaKeys: ['login', 'pay'], guidance: 'Look.' },
    { auditAreaKeys: [], guidance: '' },
  ])('names no scope that can be read: %j', (parameters) => {
    expect(unreadableFields(launchBody(fields, parameters))).toEqual([]);
  });
});

describe('the scope of a launch body', () => {
  test.each([
    [{}, [], undefined],
    [{ auditAreaKeys: [] }, [], undefined],
    [{ auditAreaKeys: ['pay', 'login'] }, ['pay', 'login'], undefined],
    [{ guidance: 'abc' }, [], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    // It takes the place of the guidance that the repository has.
    [{ guidance: '' }, [], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('%j', (body, areas, guidance) => {
    expect(readLaunchScope(body)).toEqual({ areas, guidance });
  });
});

test('a page is asked for with or without a password', () => {
  expect(publishBody(true)).toEqual({ withPassword: true });
  expect(publishBody(false)).toEqual({ withPassword: false });
});
