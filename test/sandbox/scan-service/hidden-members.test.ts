import { expect, it } from 'vitest';
import { at, start } from './harness.ts';

it('a member that is hidden in one kind of record is shown in other records', async () => {
  const { call, launch, finish, service } = await start({
    hideFields: {
      findingItem: ['filePath', 'startLine', 'endLine'],
      scanDetail: ['commit'],
      progress: ['weightedCompletion'],
    },
  });
  const scan = await finish(await launch());
  expect(scan).not.toHaveProperty('commit');
  expect(at(scan, 'progress')).not.toHaveProperty('weightedCompletion');
  expect(at((await call('GET', '/projects/{project}/scans')).body, 'items', 0)).toHaveProperty('commit');
  const list = (await call('GET', '/projects/{project}/findings')).body;
  expect(at(list, 'items', 0)).not.toHaveProperty('filePath');
  const [id] = service.scans()[0]?.findingIds ?? [];
  expect((await call('GET', `/projects/{project}/findings/${id}`)).body).toMatchObject({
    finding: { filePath: 'a.js' },
  });
});
