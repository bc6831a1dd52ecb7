import { expect, test } from 'vitest';
import {
  hashOfText,
  launchBody,
  publishBody,
  readLaunchParameters,
  sentValue,
} from '../../../src/scan-api/wire-writes.ts';
import { shown } from '../../support/shown.ts';

const CHOSEN = {
  repositoryId: 'r',
  presetRef: 'p',
  creditBudget: undefined,
  baseSha: 'BASE',
  headSha: 'HEAD',
};

/** Launch parameters, as a workflow gives them. */
const PARAMETERS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { presetRef: 'q', creditBudget: 9, baseCommit: 'SHA', commit: null, sha: 'SHA', deep: { kept: null } },
  { creditBudget: '50', commit: { sha: 'SHA' }, presetRef: 7, repositoryId: null },
  { creditBudget: null },
  { creditBudget: 0 },
  { auditAreaKeys: 'login' },
  { auditAreaKeys: ['login', 7] },
  { auditAreaKeys: ['login', ''] },
  { auditAreaKeys: [{ id: 'login' }] },
  { auditAreaKeys: ['pay', 'login'], guidance: 'Look.' },
  { auditAreaKeys: [], guidance: '' },
  { auditAreaKeys: null, guidance: null },
  { guidance: 7 },
  { guidance: ['Report nothing.'] },
];

test('launch parameters set, remove and add members of the body, and cannot hide what is sent', async () => {
  const lines = PARAMETERS.map((given) => {
    const parameters = readLaunchParameters(given);
    const { sets, removes, unreadable } = parameters;
    expect(parameters.given).toBe(given);
    return [
      `${shown(given)}:`,
      `sends ${shown(launchBody(CHOSEN, given))}`,
      `sets ${shown(sets)}, removes ${shown(removes)}, cannot read ${shown(unreadable)}`,
      `budget instead of 5: ${sentValue(parameters, 'creditBudget', 5)}`,
    ].join('\n  ');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/wire-writes.txt');
});

test('launchBody contains the given guidance, which may be empty', () => {
  expect(launchBody(CHOSEN, {}, 'Mind.')).toMatchObject({ guidance: 'Mind.' });
  expect(launchBody(CHOSEN, {}, '')).toMatchObject({ guidance: '' });
  expect(Object.keys(launchBody(CHOSEN, {}))).toEqual(['repositoryId', 'presetRef', 'baseCommit', 'commit']);
});

test('hashOfText computes the SHA-256 of a text', () => {
  expect(hashOfText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('publishBody requests a password exactly if the page is gated', () => {
  expect([publishBody(true), publishBody(false)]).toEqual([{ withPassword: true }, { withPassword: false }]);
});
