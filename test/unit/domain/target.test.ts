import { expect, test } from 'vitest';
import { disclosureOf, type ScanTarget } from '../../../src/domain/target.ts';

const of = (event: ScanTarget['event'], isPublic: boolean) =>
  disclosureOf({ event, repository: { owner: 'acme', name: 'shop', isPublic } });

test.each([
  ['pull_request', 'without-proof'],
  ['pull_request_target', 'without-proof'],
  ['merge_group', 'without-proof'],
  ['push', 'labels'],
  ['schedule', 'labels'],
  ['workflow_dispatch', 'labels'],
] as const)('for the event %s, a public repository shows findings as `%s`', (event, shown) => {
  expect(of(event, true)).toBe(shown);
  expect(of(event, false)).toBe('everything');
});

test('for an unknown event, every repository shows findings as `labels`', () => {
  expect(disclosureOf(undefined)).toBe('labels');
});
