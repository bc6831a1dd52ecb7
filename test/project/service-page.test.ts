import { expect, test } from 'vitest';
import { neededFor, USES } from '../../scripts/contract/action-names.ts';
import { readPage, tableUnder } from './documents.ts';

test('docs/service.md says what each endpoint of the service is needed for', () => {
  const table = tableUnder(readPage('docs/service.md'), 'What the service needs');
  const endpoints = [...table].filter(([name]) => /^[A-Z]+ \//.test(name));
  const shown = endpoints.map(([name, [needed = '']]) => [name, needed]);
  const needed = Object.keys(USES).map((name) => [name, neededFor(name).replace(/^for /, '')]);
  expect(shown.toSorted()).toEqual(needed.toSorted());
});
