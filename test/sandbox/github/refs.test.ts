import { expect, test } from 'vitest';
import { setup } from './fixture.ts';

const REF = '/repos/octo-org/demo/git/ref';

test('a reference is found only by its exact name, encoded or not', async () => {
  const { repo, call } = await setup();
  for (const path of ['heads/feature/with/slash', encodeURIComponent('heads/feature/with/slash')]) {
    const answer = await call('GET', `${REF}/${path}`);
    expect(answer).toMatchObject({
      status: 200,
      body: { ref: 'refs/heads/feature/with/slash', object: { type: 'commit', sha: repo.id('t1') } },
    });
  }
  for (const path of ['heads/gone', 'heads/feature', 'main', repo.id('t1')]) {
    expect((await call('GET', `${REF}/${path}`)).status).toBe(404);
  }
});
