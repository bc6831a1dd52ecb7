import { expect } from 'vitest';
import { shown } from './shown.ts';

/** Named cases, and the value of each, or a promise of it. */
export type Cases = Readonly<Record<string, unknown>>;

/**
 * Compares the values of all cases with the golden file of this name, beside the test. There is a section for each
 * function. A text stays as it is, and a list of texts is shown in whole.
 */
export async function expectTable(name: string, sections: Readonly<Record<string, Cases>>): Promise<void> {
  const lines: string[] = [];
  for (const [section, cases] of Object.entries(sections)) {
    lines.push(`${section}:`);
    for (const [what, value] of Object.entries(cases))
      lines.push(`  ${what}: ${textOf(await value)}`.replaceAll(/ +$/gm, ''));
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
}

/** The values of a function for named arguments. */
export function casesOf<T>(toValue: (given: T) => unknown, given: Readonly<Record<string, T>>): Cases {
  return Object.fromEntries(Object.entries(given).map(([what, one]) => [what, toValue(one)]));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? value.join(', ') || 'none' : shown(value);
}
