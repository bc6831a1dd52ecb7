import { describe, expect, test } from 'vitest';
import { bundleFacts } from '../../scripts/bench/bundle-facts.ts';
import { MOST_BYTES, MOST_GITHUB_REQUESTS } from '../../scripts/bench/goals.ts';
import { measureRun } from '../../scripts/bench/measured-run.ts';
import { MARKS_SHOWN_MS } from '../../src/scan/marks.ts';
import { rounds } from '../support/rounds.ts';

/** The number of findings of a run. */
const FINDINGS = rounds(5, 50);

describe('the figures that do not depend on the machine', () => {
  test('each bundle of an action is one small file', async () => {
    const { entries, furtherFiles } = await bundleFacts();
    expect(entries.map(({ entry }) => entry)).toEqual(Object.keys(MOST_BYTES));
    expect(entries.filter(({ entry, bytes }) => bytes > (MOST_BYTES[entry] ?? 0))).toEqual([]);
    expect(furtherFiles).toEqual([]);
  });

  test.each([
    ['is opened', 'opened'],
    ['is pushed to', 'synchronize'],
    ['is reopened after a push', 'reopened'],
  ] as const)('a run sends few requests if the pull request %s', async (_, event) => {
    const { gitHubRequests, serviceRequests, polls, wallMs } = await measureRun(FINDINGS, { event });
    // On a busy machine, the run can last so long that it looks for the marks of other jobs a second time.
    const looks = wallMs < MARKS_SHOWN_MS ? 0 : 1;
    expect(gitHubRequests).toBeLessThanOrEqual(MOST_GITHUB_REQUESTS + looks);
    // The requests are: token, repositories, presets, scan list, launch, one poll, one page of findings, and the details of
    // each finding.
    expect(serviceRequests).toBe(7 + FINDINGS);
    expect(polls).toBe(1);
  });
});
