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

describe('publishScan', () => {
  test('returns the page, with its password if one was requested', async () => {
    expect(await publish(page('pw'), true)).toEqual(page('pw'));
    expect(await publish(page(null), false)).toEqual(page(null));
  });

  test('warns without naming the page if the requested password is missing', async () => {
    const answer = await publish(page(null), true);
    expect(!answer.ok && answer.error).toBe(
      'The service published the scan without the password that Scangate asked for. Check in the service who can read the page.',
    );
  });

  test('names the scope after a refusal', async () => {
    const answer = await publish(refused(403, 'forbidden', { operation: 'publish the scan' }), true);
    expect(!answer.ok && answer.error).toContain('`publish`');
  });

  test('says that the page may exist if the answer is lost', async () => {
    const answer = await publish(unreachable('unknown', 'reset'), true);
    expect(!answer.ok && answer.error).toContain('may be public anyway');
  });
});
