import { describe, expect, test } from 'vitest';
import type { Publication } from '../../../src/domain/project.ts';
import { ok } from '../../../src/domain/result.ts';
import { publishScan } from '../../../src/scan/publish.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { answers, refused, unreachable } from './fake-api.ts';

type Answer = Parameters<typeof answers<Publication>>[number];

const publish = (answer: Answer, gated: boolean) =>
  publishScan({ publish: answers<Publication>(answer) }, 'p', 's', gated, NEVER_ABORTED);
const page = (accessPassword: string | null) =>
  ok({
    publicId: 'x',
    url: 'https://service.test/public/scans/x',
    gated: accessPassword !== null,
    accessPassword,
  });

describe('publishing', () => {
  test('gives the page, with its password where one was asked for', async () => {
    expect(await publish(page('pw'), true)).toEqual(page('pw'));
    expect(await publish(page(null), false)).toEqual(page(null));
  });

  test('without the password that was asked for is a warning that does not lead to the page', async () => {
    const answer = await publish(page(null), true);
    expect(!answer.ok && answer.error).toBe(
      'The service published the scan without the password that Scangate asked for. Check in the service who can read the page.',
    );
  });

  test('that is refused names the scope', async () => {
    const answer = await publish(refused(403, 'forbidden', { operation: 'publish the scan' }), true);
    expect(!answer.ok && answer.error).toContain('`publish`');
  });

  test('whose answer is lost says that the page may stand', async () => {
    const answer = await publish(unreachable('unknown', 'reset'), true);
    expect(!answer.ok && answer.error).toContain('may be public anyway');
  });
});
