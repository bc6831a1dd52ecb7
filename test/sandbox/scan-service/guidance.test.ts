import { describe, expect, it } from 'vitest';
import { at, refused, start, textAt } from './harness.ts';

const GUIDANCE = '/projects/{project}/repositories/repo_shop/guidance';
const SCANS = '/projects/{project}/scans';
/** One character that is two units of a JavaScript string. */
const KEY = '\u{1F511}';

describe('the guidance of a repository', () => {
  it('the guidance of a repository is null and has no date until it is set', async () => {
    const { call } = await start();
    expect(await call('GET', GUIDANCE)).toMatchObject({
      status: 200,
      body: { repositoryId: 'repo_shop', content: null, updatedAt: null },
    });
  });

  it('guidance from the start options of the fake service has no date', async () => {
    const first = await start();
    const { call } = await start({
      repositories: [{ owner: 'acme', name: 'shop', gitDir: first.repository.dir, guidance: 'Old.' }],
    });
    expect((await call('GET', GUIDANCE)).body).toMatchObject({ content: 'Old.', updatedAt: null });
  });

  it('each change of the guidance of a repository creates a new revision', async () => {
    let now = new Date('2024-05-01T10:00:00Z');
    const { call } = await start({ clock: { now: () => now } });
    const revisions = new Set<string>();
    for (const [index, content] of ['Mind the till.', '', null, 'Mind the till.'].entries()) {
      now = new Date(now.getTime() + 1000);
      const { status, body } = await call('PUT', GUIDANCE, { content });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { repositoryId: 'repo_shop', unchanged: false },
      });
      revisions.add(textAt(body, 'revisionId'));
      expect(revisions.size).toBe(index + 1);
      const read = { repositoryId: 'repo_shop', content, updatedAt: now.toISOString() };
      expect((await call('GET', GUIDANCE)).body).toEqual(read);
    }
  });

  it('a write of the same guidance creates no revision', async () => {
    let now = new Date('2024-05-01T10:00:00Z');
    const { call } = await start({ clock: { now: () => now } });
    const nothing = { repositoryId: 'repo_shop', revisionId: null, unchanged: true };
    expect((await call('PUT', GUIDANCE, { content: null })).body).toEqual(nothing);
    expect((await call('GET', GUIDANCE)).body).toMatchObject({ updatedAt: null });
    await call('PUT', GUIDANCE, { content: 'One.' });
    now = new Date('2024-05-02T10:00:00Z');
    expect((await call('PUT', GUIDANCE, { content: 'One.', expectedContent: 'One.' })).body).toEqual(nothing);
    expect((await call('GET', GUIDANCE)).body).toMatchObject({ updatedAt: '2024-05-01T10:00:00.000Z' });
  });

  it('a write of guidance gets 409 if the stored text is not the expected text', async () => {
    const { call } = await start();
    const put = (content: string | null, expectedContent?: string | null) =>
      call('PUT', GUIDANCE, { content, ...(expectedContent === undefined ? {} : { expectedContent }) });
    expect(await put('One.', 'Zero.')).toMatchObject(refused(409, 'conflict'));
    expect((await put('One.', null)).status).toBe(200);
    expect(await put('Two.', null)).toMatchObject(refused(409, 'conflict'));
    // The service checks the expected text even if the write would not change the guidance.
    expect(await put('One.', 'Zero.')).toMatchObject(refused(409, 'conflict'));
    expect((await call('GET', GUIDANCE)).body).toMatchObject({ content: 'One.' });
    expect((await put('Two.', 'One.')).status).toBe(200);
    expect((await put('Three.')).status).toBe(200);
    expect((await put(null, 'Three.')).status).toBe(200);
  });

  it('if several writes of guidance expect the same text, one write succeeds', async () => {
    const { call } = await start();
    const replies = await Promise.all(
      ['One.', 'Two.', 'Three.'].map((content) => call('PUT', GUIDANCE, { content, expectedContent: null })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409]);
  });

  it.each([
    ['a body without content', {}],
    ['a number', { content: 1 }],
    ['an object', { content: {} }],
    ['100,001 characters', { content: 'x'.repeat(100_001) }],
    ['100,001 characters of two units', { content: KEY.repeat(100_001) }],
    ['an expected text that is a number', { content: 'x', expectedContent: 1 }],
  ])('a write of guidance gets 400 for %s', async (_what, body) => {
    const { call } = await start();
    expect(await call('PUT', GUIDANCE, body)).toMatchObject(refused(400, 'bad_request'));
    expect((await call('GET', GUIDANCE)).body).toMatchObject({ content: null });
  });

  it.each(['x', KEY, '\u0001'])('guidance can have 100,000 characters: %j', async (character) => {
    const { call } = await start();
    const content = character.repeat(100_000);
    expect((await call('PUT', GUIDANCE, { content })).status).toBe(200);
    expect((await call('PUT', GUIDANCE, { content: 'x', expectedContent: content })).status).toBe(200);
  });

  it('a request for the guidance of a repository that the token may not see gets 404', async () => {
    const first = await start();
    const gitDir = first.repository.dir;
    const { call } = await start({
      repositories: [
        { owner: 'acme', name: 'shop', gitDir },
        { owner: 'acme', name: 'till', gitDir },
      ],
      tokens: [{ repositoryAllowlist: ['acme/till'] }],
    });
    expect(await call('GET', GUIDANCE)).toMatchObject(refused(404, 'not_found'));
    expect(await call('PUT', GUIDANCE, { content: 'x' })).toMatchObject(refused(404, 'not_found'));
    expect((await call('GET', GUIDANCE.replace('shop', 'till'))).status).toBe(200);
    expect(await call('GET', GUIDANCE.replace('shop', 'nothing'))).toMatchObject(refused(404, 'not_found'));
  });
});

describe('the guidance of a scan', () => {
  it.each([
    ['no guidance if there is none', null, undefined, { applied: null, content: null }],
    [
      'the guidance of the repository by default',
      'Ours.',
      undefined,
      { applied: 'repository', content: 'Ours.' },
    ],
    [
      'the guidance of its launch instead of that of the repository',
      'Ours.',
      'Mine.',
      { applied: 'scan', content: 'Mine.' },
    ],
    ['the guidance of its launch, even if that is empty', 'Ours.', '', { applied: 'scan', content: '' }],
  ])('a scan uses %s', async (_whose, stored, guidance, expected) => {
    const { call, launch, service } = await start();
    await call('PUT', GUIDANCE, { content: stored });
    const scanId = await launch({ guidance });
    // A write of guidance after the launch affects only later scans.
    await call('PUT', GUIDANCE, { content: 'Later.' });
    const { body } = await call('GET', `${SCANS}/${scanId}`);
    expect(at(body, 'scan', 'guidanceApplied')).toBe(expected.applied);
    expect(service.scans()[0]?.guidance).toEqual(expected);
    await launch();
    expect(service.scans()[0]?.guidance).toEqual({ applied: 'repository', content: 'Later.' });
  });
});
