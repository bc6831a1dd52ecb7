import { expect, test } from 'vitest';
import { createWarnings } from '../../../src/runner/step.ts';

test('a step logs each warning at once, keeps the warnings in order, and drops repetitions', () => {
  const logged: string[] = [];
  const { warn, list } = createWarnings({ warning: (sentence) => void logged.push(sentence) });
  warn('b', 'a');
  expect(logged).toEqual(['b', 'a']);
  warn('a');
  warn('c', 'b');
  expect(logged).toEqual(['b', 'a', 'c']);
  expect(list()).toEqual(logged);
});
