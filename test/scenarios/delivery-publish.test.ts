import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Intercept } from '../../sandbox/scan-service/options.ts';
import { everythingWritten } from '../support/driver/secrecy.ts';
import { expectNotScanned } from './expect-story.ts';
import { play, prepare, type Story, tell } from './story.ts';

function published({ stage }: Story): number {
  return stage.service.requests.filter(({ point }) => point === 'scans.publish').length;
}

test.each([
  ['never', 'vulnerable', 0],
  ['on-findings', 'vulnerable', 1],
  ['on-findings', 'clean', 0],
  ['always', 'clean', 1],
] as const)('`publish: %s` on a %s change: %i pages', async (publish, head, pages) => {
  const story = await tell({ head, inputs: { publish } });
  expect(published(story)).toBe(pages);
  const { 'public-url': url = '', 'public-password': password = '' } = story.run.outputs;
  expect([url !== '', password !== '']).toEqual([pages > 0, pages > 0]);
  expect(story.run.outputs['outcome']).toBe(head === 'clean' ? 'passed' : 'blocked');
});

test('the page is there, behind its password, and linked where people look', async () => {
  const story = await tell({ inputs: { publish: 'always' } });
  const { 'public-url': url = '', 'public-password': password = '' } = story.run.outputs;
  const body = new URLSearchParams({ password });
  expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ password: 'no' }) })).ok).toBe(
    false,
  );
  const page = await fetch(url, { method: 'POST', body });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Shell command built from a variable');
  const [comment, check] = [story.stage.github.comments[0]?.body, story.stage.github.checkRuns[0]?.output];
  for (const text of [story.run.summary, comment, check?.summary]) expect(text).toContain(url);
});

test('the password is masked before anything prints it, and stands in its output alone', async () => {
  const own = await mkdtemp(path.join(tmpdir(), 'scangate-publish-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const scene = await prepare({});
  const story = await play(scene, {
    inputs: { publish: 'always', comment: 'always', 'report-file': 'report.json' },
    run: () => ({ workspace: own }),
  });
  const { 'public-password': password = '' } = story.run.outputs;
  expect(password.length).toBeGreaterThan(8);
  expect(story.run.masks).toContain(password);
  const { 'public-password': _, ...others } = story.run.outputs;
  const places = everythingWritten(scene.stage, { ...story.run, outputs: others }, [own]);
  expect([...places].filter(([, text]) => text.includes(password)).map(([place]) => place)).toEqual([]);
});

test('`publish-password: false` makes an open page, and no password', async () => {
  const story = await tell({ inputs: { publish: 'always', 'publish-password': 'false' } });
  expect(story.run.outputs['public-password']).toBe('');
  expect((await fetch(story.run.outputs['public-url'] ?? '')).ok).toBe(true);
});

test('a token without the scope is a wrong setup, found before a credit is spent', async () => {
  const story = await tell({
    service: { tokens: [{ scopes: ['read', 'scans:launch'] }] },
    inputs: { publish: 'on-findings' },
  });
  expectNotScanned(story, 'configuration', { launches: 0, says: ['publish'] });
});

test.each([
  ['403', { status: 403, body: { error: { code: 'forbidden', message: 'No.' } } }, 'not published', 1],
  ['500', { status: 500, body: { error: { code: 'internal', message: 'No.' } } }, 'not published', 1],
  ['a lost answer', { fault: 'reset-after' }, 'It may be public anyway', 1],
] as const)(
  'publishing is refused (%s): a warning, asked once, and the verdict stands',
  async (_what, answer, says, times) => {
    const intercept: Intercept = ({ point }) => (point === 'scans.publish' ? answer : undefined);
    const story = await tell({ service: { intercept }, inputs: { publish: 'always' } });
    expect(story.run.exitCode).toBe(1);
    expect(story.run.outputs).toMatchObject({
      outcome: 'blocked',
      'findings-blocking': '2',
      'public-url': '',
      'public-password': '',
    });
    expect(published(story)).toBe(times);
    const warnings = story.run.log.split('\n').filter((line) => line.startsWith('##[warning]'));
    expect(warnings).toEqual([expect.stringContaining('The scan was not published.')]);
    expect(story.run.log).toContain(says);
    expect(story.run.summary).toContain('was not published');
  },
);

test('what was not scanned is not published', async () => {
  const story = await tell({ service: { pace: { ending: 'FAILED' } }, inputs: { publish: 'always' } });
  expect(published(story)).toBe(0);
  expect(story.run.outputs).toMatchObject({ outcome: 'not-scanned', 'public-url': '' });
});
