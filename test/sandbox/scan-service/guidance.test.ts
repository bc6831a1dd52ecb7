import { expect, it } from 'vitest';
import { start } from './harness.ts';

const GUIDANCE = '/projects/{project}/repositories/repo_shop/guidance';

it('guidance from the start options of the fake service has no date', async () => {
  const gitDir = (await start()).repository.dir;
  const { call } = await start({ repositories: [{ owner: 'acme', name: 'shop', gitDir, guidance: 'Old.' }] });
  expect((await call('GET', GUIDANCE)).body).toMatchObject({ content: 'Old.', updatedAt: null });
});

it('guidance has the date of its last change', async () => {
  let now = new Date('2024-05-01T10:00:00Z');
  const { call } = await start({ clock: { now: () => now } });
  await call('PUT', GUIDANCE, { content: null });
  expect((await call('GET', GUIDANCE)).body).toMatchObject({ updatedAt: null });
  await call('PUT', GUIDANCE, { content: 'One.' });
  now = new Date('2024-05-02T10:00:00Z');
  await call('PUT', GUIDANCE, { content: 'One.' });
  expect((await call('GET', GUIDANCE)).body).toMatchObject({ updatedAt: '2024-05-01T10:00:00.000Z' });
  await call('PUT', GUIDANCE, { content: null });
  expect((await call('GET', GUIDANCE)).body).toMatchObject({ content: null, updatedAt: now.toISOString() });
});
