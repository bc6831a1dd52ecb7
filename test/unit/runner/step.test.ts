import { expect, test } from 'vitest';
import { createWarnings } from '../../../src/runner/step.ts';

test('a step logs each warning once, in order', () => {
  const logged: string[] = [];
  const { warn, list } = createWarnings({ warning: (sentence) => void logged.push(sentence) });
  warn('b', 'a');
  expect(logged).toEqual(['b', 'a']);
  warn('a');
  warn('c', 'b');
  expect(logged).toEqual(['b', 'a', 'c']);
  expect(list()).toEqual(logged);
});
