import { describe, expect, test } from 'vitest';
import { type Launch, NAMES } from '../client.ts';
import { accepted, type Refusal, refused } from '../documented-answer.ts';
import { Cancelled, ScanPage } from '../records.ts';
import { BUDGET, CREDITS, type Session } from '../session.ts';

const NO_COMMIT = '0'.repeat(40);

export function launching(session: () => Session): void {
  const listed = async () => accepted(await session().client.scans(), 200, ScanPage);

  describe('launching and cancelling', () => {
    const refusals: readonly [why: string, as: Refusal, launch: () => Partial<Launch>][] = [
      ['an unknown preset', '400 bad_request', () => ({ presetRef: 'no-such-preset' })],
      ['a diff preset but no base', '400 diff_base_required', () => ({ presetRef: session().diff.ref })],
      [
        'a base that the preset refuses',
        '400 diff_base_not_allowed',
        () => ({ baseCommit: session().shop.base }),
      ],
      [
        'a malformed base',
        '400 diff_base_invalid',
        () => ({ presetRef: session().diff.ref, baseCommit: 'main~1' }),
      ],
      [
        'an abbreviated base',
        '400 diff_base_invalid',
        () => ({ presetRef: session().diff.ref, baseCommit: session().shop.base.slice(0, 12) }),
      ],
      [
        'a base that is the tree of a commit',
        '400 diff_base_invalid',
        () => ({ presetRef: session().diff.ref, baseCommit: session().shop.tree }),
      ],
      [
        'an unknown base',
        '400 diff_base_invalid',
        () => ({ presetRef: session().diff.ref, baseCommit: NO_COMMIT }),
      ],
      [
        'a base that is the commit itself',
        '422 diff_empty',
        () => ({ presetRef: session().diff.ref, baseCommit: session().shop.base }),
      ],
      [
        'a base with the same files as the commit',
        '422 diff_empty',
        () => ({
          presetRef: session().diff.ref,
          commit: session().shop.afterHead,
          baseCommit: session().shop.head,
        }),
      ],
      ['a budget over the balance', '402 insufficient_credits', () => ({ creditBudget: CREDITS + 1 })],
      [
        "a budget below the preset's minimum",
        '400 bad_request',
        () => ({
          presetRef: session().diff.ref,
          commit: session().shop.head,
          baseCommit: session().shop.base,
          creditBudget: session().diff.minCredits - 1,
        }),
      ],
      ['a budget of 0', '400 bad_request', () => ({ creditBudget: 0 })],
      ['a budget in words', '400 bad_request', () => ({ creditBudget: '20' })],
      ['a fractional budget', '400 bad_request', () => ({ creditBudget: 20.5 })],
      ['a budget of null', '400 bad_request', () => ({ creditBudget: null })],
      ['the name of a branch', '400 bad_request', () => ({ commit: 'main' })],
      ['an unknown commit', '400 bad_request', () => ({ commit: NO_COMMIT })],
      ['an unknown audit area', '400 bad_request', () => ({ auditAreaKeys: ['no-such-area'] })],
      ['an audit area of null', '400 bad_request', () => ({ auditAreaKeys: [null] })],
      ['audit areas in a text', '400 bad_request', () => ({ auditAreaKeys: 'lib' })],
      ['audit areas of null', '400 bad_request', () => ({ auditAreaKeys: null })],
      ['guidance that is too long', '400 bad_request', () => ({ guidance: 'g'.repeat(100_001) })],
    ];

    test.each(refusals)('the service refuses a launch with %s: %s', async (_why, as, launch) => {
      const before = (await listed()).total;
      refused(await session().client.launch({ ...session().plain, ...launch() }), as);
      expect((await listed()).total).toBe(before);
    });

    test('the service accepts only as many concurrent launches as the credits cover', async () => {
      const { client, plain } = session();
      const most = { ...plain, creditBudget: CREDITS - BUDGET + 1 };
      const answers = await Promise.all([client.launch(most), client.launch(most), client.launch(most)]);
      const [taken, ...others] = answers.filter(({ status }) => status === 202);
      expect(others).toEqual([]);
      for (const answer of answers.filter((one) => one !== taken))
        refused(answer, '402 insufficient_credits');
      const { [NAMES.scan.id]: id = '' } = (await listed()).items[0] ?? {};
      accepted(await client.cancel(id), 200, Cancelled);
    });
  });
}
