import { describe, expect, test } from 'vitest';
import { type Launch, NAMES } from '../client.ts';
import { accepted, type Refusal, refused } from '../documented-answer.ts';
import { Cancelled, ScanDetail, ScanPage } from '../records.ts';
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

    test('the service reserves the budget of an accepted scan until the scan is cancelled', async () => {
      const { client, plain, launched } = session();
      const most = await launched({ ...plain, creditBudget: CREDITS - BUDGET + 1 });
      expect((await listed()).items[0]).toMatchObject({ [NAMES.scan.id]: most, status: 'QUEUED' });
      refused(await client.launch(plain), '402 insufficient_credits');

      const cancelled = accepted(await client.cancel(most), 200, Cancelled);
      expect(cancelled.scanId).toBe(most);
      const next = await launched(plain);
      accepted(await client.cancel(next), 200, Cancelled);
    });

    test('the service refuses a launch over the spend limit of the token until the next month', async () => {
      const answer = await session().poor.launch(session().plain);
      refused(answer, '429 rate_limited');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
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

    test('the service refuses to cancel or publish a scan that is already cancelled', async () => {
      const { client, plain, launched } = session();
      const id = await launched(plain);
      accepted(await client.cancel(id), 200, Cancelled);
      const answer = await client.scan(id);
      expect(accepted(answer, 200, ScanDetail).scan.status).toBe('CANCELLED');
      expect(answer.headers.has('retry-after')).toBe(false);
      refused(await client.cancel(id), '400 bad_request');
      refused(await client.publishScan(id, {}), '400 bad_request');
    });

    test('the service returns the number of stopped jobs when it cancels a running scan', async () => {
      const { client, plain, launched } = session();
      const id = await launched(plain);
      const answer = await client.scan(id);
      expect(['QUEUED', 'CANCELLED', 'COMPLETED', 'FAILED']).not.toContain(
        accepted(answer, 200, ScanDetail).scan.status,
      );
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      refused(await client.publishScan(id, {}), '400 bad_request');
      expect(accepted(await client.cancel(id), 200, Cancelled).cancelledJobs).toBeGreaterThan(0);
    });
  });
}
