import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Intercept } from '../../sandbox/scan-service/options.ts';
import { everythingWritten } from '../support/driver/secrecy.ts';
import { expectNotScanned } from './expect-result.ts';
import { prepare, runPrepared, runScenario, type ScenarioResult } from './scenario.ts';

function published({ environment }: ScenarioResult): number {
  return environment.service.requests.filter(({ point }) => point === 'scans.publish').length;
}

test.each([
  ['never', 'vulnerable', 0],
  ['on-findings', 'vulnerable', 1],
  ['on-findings', 'clean', 0],
  ['always', 'clean', 1],
] as const)('`publish: %s` on a %s change publishes %i pages', async (publish, head, pages) => {
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

test('the password is masked before anything prints it, and written only to its own output', async () => {
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

test('`publish-password: false` publishes a page without a password', async () => {
  const result = await runScenario({ inputs: { publish: 'always', 'publish-password': 'false' } });
  expect(result.run.outputs['public-password']).toBe('');
  expect((await fetch(result.run.outputs['public-url'] ?? '')).ok).toBe(true);
});

test('a token without the scope is a configuration error, found before a scan is paid for', async () => {
  const result = await runScenario({
    service: { tokens: [{ scopes: ['read', 'scans:launch'] }] },
    inputs: { publish: 'on-findings' },
  });
  expectNotScanned(result, 'configuration', { launches: 0, texts: ['publish'] });
});

test.each([
  ['403', { status: 403, body: { error: { code: 'forbidden', message: 'No.' } } }, 'not published', 1],
  ['500', { status: 500, body: { error: { code: 'internal', message: 'No.' } } }, 'not published', 1],
  ['a lost answer', { fault: 'reset-after' }, 'It may be public anyway', 1],
] as const)(
  'a refused publication (%s) is a warning, is not retried, and does not change the verdict',
  async (_what, answer, texts, times) => {
    const intercept: Intercept = ({ point }) => (point === 'scans.publish' ? answer : undefined);
    const result = await runScenario({ service: { intercept }, inputs: { publish: 'always' } });
    expect(result.run.exitCode).toBe(1);
    expect(result.run.outputs).toMatchObject({
      outcome: 'blocked',
      'findings-blocking': '2',
      'public-url': '',
      'public-password': '',
    });
    expect(published(result)).toBe(times);
    const warnings = result.run.log.split('\n').filter((line) => line.startsWith('##[warning]'));
    expect(warnings).toEqual([expect.stringContaining('The scan was not published.')]);
    expect(result.run.log).toContain(texts);
    expect(result.run.summary).toContain('was not published');
  },
);

test('a change that was not scanned is not published', async () => {
  const result = await runScenario({
    service: { pace: { ending: 'FAILED' } },
    inputs: { publish: 'always' },
  });
  expect(published(result)).toBe(0);
  expect(result.run.outputs).toMatchObject({ outcome: 'not-scanned', 'public-url': '' });
});
