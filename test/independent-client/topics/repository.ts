import { describe, expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { Guidance, GuidanceWritten } from '../records.ts';
import type { Session } from '../session.ts';

const LONGEST = 100_000;

export function repository(session: () => Session): void {
  const stored = async () => accepted(await session().client.guidance(session().repository), 200, Guidance);
  const write = (body: object): Promise<Answer> => session().client.setGuidance(session().repository, body);
  const written = async (body: object) => accepted(await write(body), 200, GuidanceWritten);

  describe('the repository and its guidance', () => {
    test(`the service accepts guidance of at most ${LONGEST} characters`, async () => {
      for (const character of ['g', '🔑']) {
        refused(await write({ content: character.repeat(LONGEST + 1) }), '400 bad_request');
      }
      expect((await stored()).content).toBeNull();
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
  });
}
