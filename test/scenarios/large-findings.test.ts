import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { isObject } from '../../sandbox/json.ts';
import { prepareVulnerabilities, type Vulnerabilities } from './many-vulnerabilities.ts';
import { runPrepared } from './scenario.ts';

const MB = 1024 * 1024;

/** Adds a member with this many bytes to each finding in the list. The action does not read this member. */
function padding(bytesOf: (findingId: string) => number): Interception {
  return {
    rewrite: (answer) => {
      const body = isObject(answer.body) ? answer.body : {};
      const items = Array.isArray(body['items']) ? body['items'].filter(isObject) : [];
      const padded = items.map((item) => ({ ...item, padding: 'x'.repeat(bytesOf(String(item['id']))) }));
      return { ...answer, body: { ...body, items: padded } };
    },
  };
}

async function runWith(
  vulnerabilities: Vulnerabilities,
  bytesOf: (findingId: string) => number,
  inputs: Readonly<Record<string, string>> = {},
) {
  const padded = padding(bytesOf);
  const scenario = await prepareVulnerabilities(vulnerabilities, {
    service: {
      pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
      intercept: ({ point }) => (point === 'findings.list' ? padded : undefined),
    },
  });
  return runPrepared(scenario, { inputs });
}

test('a run requests smaller pages for twelve findings of 1.5 MB each', async () => {
  const { run, environment } = await runWith({ high: 12, medium: 0 }, () => 1.5 * MB);
  expect(run.outputs, run.log).toMatchObject({
    outcome: 'blocked',
    'findings-total': '12',
    'findings-blocking': '12',
  });
  // The action requests a page of 100 findings, two pages of 10 findings, and each of the first ten findings.
  expect(environment.service.requests.filter(({ point }) => point === 'findings.list')).toHaveLength(13);
});

test('a run blocks if a finding is too large to read', async () => {
  const large = new Set<string>();
  const { run, environment } = await runWith({ high: 0, medium: 3 }, (id) => {
    if (large.size === 0) large.add(id);
    return large.has(id) ? 11 * MB : 1;
  });
  expect(run.outputs, run.log).toMatchObject({
    outcome: 'blocked',
    'findings-total': '3',
    'findings-blocking': '1',
    'severity-counts': expect.stringContaining('"UNKNOWN":1'),
  });
  for (const text of [run.summary, run.log, environment.github.comments[0]?.body]) {
    expect(text).toContain('Finding 1 of the scan is too large to read');
  }
  expect(environment.service.ledger().reserved).toBe(0);
});

test('a run with `fail-on: none` passes if a finding is too large to read', async () => {
  const { run } = await runWith({ high: 0, medium: 1 }, () => 11 * MB, { 'fail-on': 'none' });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'passed', 'findings-total': '1' });
  expect(run.log).toContain('ranks above critical');
});
