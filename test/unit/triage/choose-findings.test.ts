import { expect, test } from 'vitest';
import { chooseFindings } from '../../../src/triage/choose-findings.ts';
import { sampleFinding } from '../report/sample-report.ts';

const FINDINGS = [
  'fnd_0001A2B3C4D',
  'fnd_0002abcdefgh',
  'fnd_0003ABCDEFGH',
  'fnd_a_twice123',
  'fnd_b_twice123',
].map((id) => sampleFinding({ id }));

test.each([
  ['a label', ['ZK-1A2B3C4D'], ['fnd_0001A2B3C4D']],
  ['a label in lower case', ['zk-1a2b3c4d'], ['fnd_0001A2B3C4D']],
  ['a label without the prefix', ['1A2B3C4D'], ['fnd_0001A2B3C4D']],
  ['the full id', ['fnd_a_twice123'], ['fnd_a_twice123']],
  ['one finding in three forms', ['ZK-1A2B3C4D', '1a2b3c4d', 'fnd_0001A2B3C4D'], ['fnd_0001A2B3C4D']],
  [
    'two labels that differ only in case',
    ['ZK-abcdefgh', 'ZK-ABCDEFGH'],
    ['fnd_0002abcdefgh', 'fnd_0003ABCDEFGH'],
  ],
  ['a label in mixed case', ['ZK-Abcdefgh'], ['ambiguous']],
  ['a label of two findings', ['ZK-twice123'], ['ambiguous']],
  ['a label of another scan', ['ZK-99999999'], ['unknown']],
  ['two labels of another scan', ['ZK-99999999', 'ZK-88888888', 'ZK-99999999'], ['unknown', 'unknown']],
  ['the prefix in the middle', ['1A2BZK-3C4D'], ['unknown']],
  ['the prefix twice', ['ZK-ZK-1A2B3C4D'], ['unknown']],
  ['a part of a label', ['ZK-2B3C4D'], ['unknown']],
  ['only the prefix', ['ZK-'], ['unknown']],
])('for %s (%j), chooseFindings returns %j', (_what, labels, named) => {
  const chosen = chooseFindings(labels, FINDINGS);
  expect(chosen.map((one) => (one.kind === 'finding' ? one.id : one.kind))).toEqual(named);
});

test('chooseFindings returns a known label as the service writes it', () => {
  const chosen = chooseFindings(['fnd_a_twice123', '1a2b3c4d', 'zk-nothere'], FINDINGS);
  expect(chosen.map(({ label }) => label)).toEqual(['ZK-twice123', 'ZK-1A2B3C4D', 'zk-nothere']);
});

test('chooseFindings skips findings that have no id', () => {
  const chosen = chooseFindings(['undefined', 'ZK-'], [sampleFinding({ id: undefined })]);
  expect(chosen.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
});
