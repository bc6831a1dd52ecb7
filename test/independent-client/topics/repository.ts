import { describe, expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { Guidance, GuidanceWritten, Presets, Repositories } from '../records.ts';
import type { Session } from '../session.ts';

const LONGEST = 100_000;

export function repository(session: () => Session): void {
  const stored = async () => accepted(await session().client.guidance(session().repository), 200, Guidance);
  const write = (body: object): Promise<Answer> => session().client.setGuidance(session().repository, body);
  const written = async (body: object) => accepted(await write(body), 200, GuidanceWritten);

  describe('the repository and its guidance', () => {
    test('the service lists the repository as active and ready', async () => {
      const { repositories } = accepted(await session().client.repositories(), 200, Repositories);
      expect(repositories).toHaveLength(1);
      expect(repositories[0]).toMatchObject({
        ...{ owner: 'acme', name: 'shop', defaultBranch: 'main' },
        ...{ status: 'ACTIVE', readiness: 'ready' },
      });
    });

    test('the service lists the presets, each with its own ref', async () => {
      const { presets } = accepted(await session().client.presets(), 200, Presets);
      expect(new Set(presets.map(({ ref }) => ref)).size).toBe(presets.length);
      expect(presets.map(({ ref }) => ref)).toContain(session().diff.ref);
    });

    test('before guidance is set, the service shows no guidance', async () => {
      expect(await stored()).toMatchObject({
        repositoryId: session().repository,
        content: null,
        updatedAt: null,
      });
    });

    test('the service creates a revision of the guidance only for a text that is not stored yet', async () => {
      const first = await written({ content: 'Mind the cart.' });
      expect(first).toMatchObject({ repositoryId: session().repository, unchanged: false });
      expect(first.revisionId).toEqual(expect.any(String));
      const before = await stored();
      expect(before.content).toBe('Mind the cart.');
      expect(before.updatedAt).not.toBeNull();

      expect(await written({ content: 'Mind the cart.' })).toMatchObject({
        revisionId: null,
        unchanged: true,
      });
      expect(await stored()).toEqual(before);
    });

    test('the service refuses guidance if the stored text is not the text that the request expects', async () => {
      refused(await write({ content: 'Mine.', expectedContent: 'Theirs.' }), '409 conflict');
      refused(await write({ content: 'Mine.', expectedContent: null }), '409 conflict');
      refused(await write({ content: 'Mind the cart.', expectedContent: 'Theirs.' }), '409 conflict');
      expect((await stored()).content).toBe('Mind the cart.');
      const { revisionId } = await written({ content: 'Mine.', expectedContent: 'Mind the cart.' });
      expect(revisionId).toEqual(expect.any(String));
      expect((await stored()).content).toBe('Mine.');
    });

    test('the service stores guidance as a new revision if the request has no expected text', async () => {
      const one = await written({ content: 'One.' });
      expect((await written({ content: '' })).unchanged).toBe(false);
      const two = await written({ content: 'Two.' });
      expect(two.revisionId).not.toBe(one.revisionId);
      expect((await stored()).content).toBe('Two.');
    });

    test('a write of null instead of a text clears the guidance', async () => {
      expect(await written({ content: null, expectedContent: 'Two.' })).toMatchObject({ unchanged: false });
      const cleared = await stored();
      expect(cleared.content).toBeNull();
      expect(cleared.updatedAt).not.toBeNull();
      expect(await written({ content: null })).toMatchObject({ revisionId: null, unchanged: true });
      expect(await written({ content: 'Kept.', expectedContent: null })).toMatchObject({ unchanged: false });
    });

    test(`the service accepts guidance of at most ${LONGEST} characters`, async () => {
      for (const character of ['g', '🔑']) {
        refused(await write({ content: character.repeat(LONGEST + 1) }), '400 bad_request');
      }
      expect((await stored()).content).toBe('Kept.');
      // The limit counts characters, not bytes or the units of JavaScript.
      for (const character of ['g', '世', '🔑', '\u0001']) {
        await written({ content: character.repeat(LONGEST) });
        expect((await stored()).content).toBe(character.repeat(LONGEST));
      }
    });

    test('if several concurrent writes expect the same text, the service accepts only one', async () => {
      await written({ content: 'Before.' });
      const contents = ['One.', 'Two.', 'Three.'];
      const answers = await Promise.all(
        contents.map((content) => write({ content, expectedContent: 'Before.' })),
      );
      const lost = answers.filter(({ status }) => status !== 200);
      expect(lost).toHaveLength(contents.length - 1);
      for (const answer of lost) refused(answer, '409 conflict');
      const winner = answers.findIndex(({ status }) => status === 200);
      expect((await stored()).content).toBe(contents[winner]);
    });

    test.each([{}, { content: 5 }, { content: ['a'] }, { content: 'a', expectedContent: 5 }])(
      'the service refuses invalid guidance: %j',
      async (body) => {
        const before = await stored();
        refused(await write(body), '400 bad_request');
        expect(await stored()).toEqual(before);
      },
    );
  });
}
