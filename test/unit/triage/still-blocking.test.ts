import { describe, expect, test } from 'vitest';
import { type Finding, severityOf } from '../../../src/domain/finding.ts';
import { traitsOf } from '../../../src/domain/history.ts';
import { stillBlocking } from '../../../src/triage/service.ts';
import { sampleFinding } from '../report/sample-report.ts';

const reported = sampleFinding({ id: 'fnd_00000001', word: 'HIGH', resolution: 'NOT_STARTED' });
const known = (finding: Finding, blocks = true) => ({ ...traitsOf(finding), blocks });
const blocksStill = (now: readonly Finding[], before = known(reported)) =>
  stillBlocking(now, [before]).length === 1;

describe('stillBlocking', () => {
  test.each<[resolution: string, blocks: boolean]>([
    ['FALSE_POSITIVE', false],
    ['WONT_FIX', false],
    ['MITIGATED', false],
    ['DUPLICATE', false],
    ['RESOLVED', true],
    ['IN_PROGRESS', true],
    ['NOT_STARTED', true],
    ['A_NEW_WORD', true],
  ])('stillBlocking decides whether a finding with the status %s blocks', (resolution, blocks) => {
    expect(blocksStill([{ ...reported, resolution }])).toBe(blocks);
  });

  test('stillBlocking returns a finding without a status', () => {
    expect(blocksStill([{ ...reported, resolution: undefined }])).toBe(true);
  });

  test('stillBlocking leaves out a finding whose severity has decreased', () => {
    expect(blocksStill([{ ...reported, severity: severityOf('MEDIUM') }])).toBe(false);
    expect(blocksStill([{ ...reported, severity: severityOf('CRITICAL') }])).toBe(true);
    expect(blocksStill([{ ...reported, severity: severityOf('A_NEW_WORD') }])).toBe(true);
  });

  test('stillBlocking leaves out a finding that the scan no longer lists', () => {
    expect(blocksStill([])).toBe(false);
    expect(blocksStill([{ ...reported, id: 'fnd_00000002' }])).toBe(false);
  });

  test('stillBlocking matches findings without an id by severity, title and file', () => {
    const nameless = { ...reported, id: undefined };
    const closed = { ...nameless, resolution: 'WONT_FIX' };
    const two = [known(nameless), known(nameless)];
    expect(stillBlocking([nameless, nameless], two)).toHaveLength(2);
    expect(stillBlocking([nameless, closed], two)).toHaveLength(1);
    expect(stillBlocking([closed, closed], two)).toHaveLength(0);
    expect(stillBlocking([{ ...nameless, title: 'Another' }], two)).toHaveLength(0);
  });
});

test('a re-run waits only for findings that blocked', () => {
  expect(blocksStill([reported], known(reported, false))).toBe(false);
});
