import { describe, expect, test } from 'vitest';
import {
  hashOfText,
  launchBody,
  publishBody,
  readLaunchParameters,
  sentValue,
} from '../../../src/scan-api/wire-writes.ts';

const SHA = 'a'.repeat(40);

describe('launchBody', () => {
  const chosen = { repositoryId: 'r', presetRef: 'p', creditBudget: undefined, baseSha: SHA, headSha: SHA };

  test('launchBody leaves out fields without a value', () => {
    expect(launchBody(chosen, {})).toStrictEqual({
      repositoryId: 'r',
      presetRef: 'p',
      baseCommit: SHA,
      commit: SHA,
    });
  });

  test('launchBody contains the given guidance, which may be empty', () => {
    expect(launchBody(chosen, {}, 'Mind.')).toMatchObject({ guidance: 'Mind.' });
    expect(launchBody(chosen, {}, '')).toMatchObject({ guidance: '' });
    expect(launchBody(chosen, {})).not.toHaveProperty('guidance');
  });

  test('launchBody removes a field whose launch parameter is null', () => {
    const body = launchBody(chosen, { commit: null, sha: SHA, creditBudget: 9, deep: { kept: null } });
    expect(body).toEqual({
      repositoryId: 'r',
      presetRef: 'p',
      baseCommit: SHA,
      sha: SHA,
      creditBudget: 9,
      deep: { kept: null },
    });
  });
});

describe('readLaunchParameters', () => {
  const unset = {
    repositoryId: undefined,
    presetRef: undefined,
    creditBudget: undefined,
    baseSha: undefined,
    headSha: undefined,
    areas: undefined,
    guidance: undefined,
  };

  test('readLaunchParameters distinguishes fields that the parameters set, remove and add', () => {
    const given = { presetRef: 'q', creditBudget: 9, baseCommit: SHA, commit: null, sha: SHA };
    expect(readLaunchParameters(given)).toEqual({
      given,
      sets: { ...unset, presetRef: 'q', creditBudget: 9, baseSha: SHA },
      removes: new Set(['headSha']),
      unreadable: new Set(),
    });
  });

  test('readLaunchParameters finds nothing in empty parameters', () => {
    const given = {};
    const nothing = { sets: unset, removes: new Set(), unreadable: new Set() };
    expect(readLaunchParameters(given)).toEqual({ given, ...nothing });
  });

  test('readLaunchParameters lists the fields whose value has the wrong type', () => {
    const given = { creditBudget: '50', commit: { sha: SHA }, presetRef: 7, repositoryId: null };
    const { sets, removes, unreadable } = readLaunchParameters(given);
    expect(sets).toEqual(unset);
    expect([...removes]).toEqual(['repositoryId']);
    expect([...unreadable]).toEqual(['presetRef', 'creditBudget', 'headSha']);
  });

  test.each([
    [{ auditAreaKeys: 'login' }, 'areas'],
    [{ auditAreaKeys: ['login', 7] }, 'areas'],
    [{ auditAreaKeys: ['login', ''] }, 'areas'],
    [{ auditAreaKeys: [{ id: 'login' }] }, 'areas'],
    [{ guidance: 7 }, 'guidance'],
    [{ guidance: ['Report nothing.'] }, 'guidance'],
  ])('readLaunchParameters reports that it cannot read %j', (given, field) => {
    expect([...readLaunchParameters(given).unreadable]).toEqual([field]);
  });

  test.each([
    [{}, undefined, undefined],
    [{ auditAreaKeys: null, guidance: null }, undefined, undefined],
    [{ auditAreaKeys: ['pay', 'login'], guidance: 'Look.' }, ['pay', 'login'], 'Look.'],
    [{ auditAreaKeys: [], guidance: '' }, [], ''],
  ])('readLaunchParameters reads the areas and the guidance of %j', (given, areas, guidance) => {
    const { sets, unreadable } = readLaunchParameters(given);
    expect(sets).toEqual({ ...unset, areas, guidance });
    expect([...unreadable]).toEqual([]);
  });

  test.each([
    [{}, 5],
    [{ creditBudget: null }, undefined],
    [{ creditBudget: 9 }, 9],
    [{ creditBudget: 0 }, 0],
  ])('sentValue returns the budget that is sent with the launch parameters %j', (given, sent) => {
    expect(sentValue(readLaunchParameters(given), 'creditBudget', 5)).toBe(sent);
  });
});

test.each([
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
])('hashOfText computes the SHA-256 of the text %j', (text, hash) => {
  expect(hashOfText(text)).toBe(hash);
});

test('publishBody requests a password exactly if the page is gated', () => {
  expect(publishBody(true)).toEqual({ withPassword: true });
  expect(publishBody(false)).toEqual({ withPassword: false });
});
