import { expect, test } from 'vitest';
import { disclosureOf } from '../../../src/domain/disclosure.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';

const of = (event: ScanTarget['event'], isPublic: boolean) =>
  disclosureOf({ event, repository: { owner: 'acme', name: 'shop', isPublic } });

test.each([
  ['pull_request', 'without-proof'],
  ['pull_request_target', 'without-proof'],
  ['merge_group', 'without-proof'],
  ['push', 'labels'],
  ['schedule', 'labels'],
  ['workflow_dispatch', 'labels'],
] as const)('on %s in a public repository shows %s; in another one everything', (event, shown) => {
  expect(of(event, true)).toBe(shown);
  expect(of(event, false)).toBe('everything');
});

test('shows labels where the event is not known', () => {
  expect(disclosureOf(undefined)).toBe('labels');
});
