import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Intercept } from '../../sandbox/faults/handler.ts';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { isObject } from '../../sandbox/json.ts';
import { everythingWritten } from '../support/driver/secrecy.ts';
import { expectNotScanned } from './expect-result.ts';
import { runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type ScenarioResult } from './scenario.ts';

function published({ environment }: ScenarioResult): number {
  return environment.service.requests.filter(({ point }) => point === 'scans.publish').length;
}

test.each([
  ['never', 'vulnerable', 0],
  ['on-findings', 'vulnerable', 1],
  ['on-findings', 'clean', 0],
  ['always', 'clean', 1],
] as const)('with `publish: %s` and a %s change, a run publishes %i pages', async (publish, head, pages) => {
  const result = await runScenario({ head, inputs: { publish } });
  expect(published(result)).toBe(pages);
  const { 'public-url': url = '', 'public-password': password = '' } = result.run.outputs;
  expect([url !== '', password !== '']).toEqual([pages > 0, pages > 0]);
  expect(result.run.outputs['outcome']).toBe(head === 'clean' ? 'passed' : 'blocked');
});

test('a published page is protected by its password, and linked in the report', async () => {
  const result = await runScenario({ inputs: { publish: 'always' } });
  const { 'public-url': url = '', 'public-password': password = '' } = result.run.outputs;
  const body = new URLSearchParams({ password });
  expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ password: 'no' }) })).ok).toBe(
    false,
  );
  const page = await fetch(url, { method: 'POST', body });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Shell command built from a variable');
  const [comment, check] = [
    result.environment.github.comments[0]?.body,
    result.environment.github.checkRuns[0]?.output,
  ];
  for (const text of [result.run.summary, comment, check?.summary]) expect(text).toContain(url);
});

test('a run masks the password of a published page, and writes it only to the output `public-password`', async () => {
  const own = await mkdtemp(path.join(tmpdir(), 'scangate-publish-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const scenario = await prepare({});
  const result = await runPrepared(scenario, {
    inputs: { publish: 'always', comment: 'always', 'report-file': 'report.json' },
    run: () => ({ workspace: own }),
  });
  const { 'public-password': password = '' } = result.run.outputs;
  expect(password.length).toBeGreaterThan(8);
  expect(result.run.masks).toContain(password);
  const { 'public-password': _, ...others } = result.run.outputs;
  const places = everythingWritten(scenario.environment, { ...result.run, outputs: others }, [own]);
  expect([...places].filter(([, text]) => text.includes(password)).map(([place]) => place)).toEqual([]);
});

test('the input `publish-password: false` publishes a page without a password', async () => {
  const result = await runScenario({ inputs: { publish: 'always', 'publish-password': 'false' } });
  expect(result.run.outputs['public-password']).toBe('');
  expect((await fetch(result.run.outputs['public-url'] ?? '')).ok).toBe(true);
});

test('a run whose token may not publish reports a configuration error, and launches no scan', async () => {
  const result = await runScenario({
    service: { tokens: [{ scopes: ['read', 'scans:launch'] }] },
    inputs: { publish: 'on-findings' },
  });
  expectNotScanned(result, 'configuration', { launches: 0, texts: ['publish'] });
});

const refusing = (status: number, code: string): Interception => ({
  status,
  body: { error: { code, message: 'No.' } },
});
const withoutPassword: Interception = {
  rewrite: ({ body, ...answer }) => ({
    ...answer,
    body: { ...(isObject(body) ? body : {}), accessPassword: null },
  }),
};

test.each<[string, Interception, RegExp]>([
  ['is refused', refusing(403, 'forbidden'), /The scan was not published\. .*`publish`(?!.*public anyway)/],
  ['fails', refusing(500, 'internal'), /The scan was not published\. .*internal error(?!.*public anyway)/],
  ['gets no answer', { fault: 'reset-after' }, /The scan was not published\. .* It may be public anyway\./],
  ['has no password', withoutPassword, /published the scan without the password that Scangate asked for/],
])('if the publication %s, the run warns, and keeps its verdict', async (_what, answer, warning) => {
  const intercept: Intercept = ({ point }) => (point === 'scans.publish' ? answer : undefined);
  const result = await runScenario({ service: { intercept }, inputs: { publish: 'always' } });
  expect(result.run.exitCode).toBe(1);
  expect(result.run.outputs).toMatchObject({
    outcome: 'blocked',
    'findings-blocking': '2',
    'public-url': '',
    'public-password': '',
  });
  expect(published(result)).toBe(1);
  const warnings = result.run.log.split('\n').filter((line) => line.startsWith('##[warning]'));
  expect(warnings).toEqual([expect.stringMatching(warning)]);
  expect(result.run.log).not.toContain('/public/scans/');
  expect(result.run.summary).toMatch(/The scan was not published|without the password/);
});

test('a change that was not scanned is not published', async () => {
  const result = await runScenario({
    service: { pace: { ending: 'FAILED' } },
    inputs: { publish: 'always' },
  });
  expect(published(result)).toBe(0);
  expect(result.run.outputs).toMatchObject({ outcome: 'not-scanned', 'public-url': '' });
});

test.each([
  ['at the end of the re-run', 2],
  ['during the whole re-run', 1],
])('a re-run keeps the link to the published page if GraphQL fails %s', async (_, from) => {
  let reads: number | undefined;
  const scenario = await prepare({
    head: 'clean',
    github: {
      intercept: ({ point }) => {
        if (reads === undefined || point !== 'graphql') return undefined;
        reads += 1;
        return reads < from ? undefined : { status: 502, body: 'Bad Gateway' };
      },
    },
  });
  const inputs = { comment: 'always', publish: 'always' };
  const first = await runPrepared(scenario, { inputs });
  reads = 0;
  const again = await runPrepared(scenario, { inputs, run: () => ({ runAttempt: 2 }) });
  const url = first.run.outputs['public-url'] ?? '';
  expect(url).toMatch(/^http/);
  expect(again.run.outputs, again.run.log).toMatchObject({
    outcome: 'passed',
    'scan-reused': 'true',
    'public-url': url,
  });
  expect(scenario.environment.github.comments).toMatchObject([{ body: expect.stringContaining(url) }]);
});

test('a re-run shows no page of another scan', async () => {
  const scenario = await prepare({ head: 'clean' });
  const first = await runAgain(scenario, {}, { comment: 'always', publish: 'always' });
  const second = await runAgain(
    scenario,
    { runId: 9_000_000_050 },
    { comment: 'never', 'reuse-scan': 'false' },
  );
  const again = await runAgain(scenario, { runId: 9_000_000_050, runAttempt: 2 }, { comment: 'always' });
  expect(first.run.outputs['public-url']).toMatch(/^http/);
  expect(again.run.outputs, again.run.log).toMatchObject({
    'scan-id': second.run.outputs['scan-id'],
    'scan-reused': 'true',
    'public-url': '',
  });
});
