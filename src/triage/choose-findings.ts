import type { Finding } from '../domain/finding.ts';

/** The finding that a label of a command names, or the reason why the label names no single finding. */
export type Chosen =
  | { readonly kind: 'finding'; readonly label: string; readonly id: string; readonly title: string }
  | { readonly kind: 'unknown' | 'ambiguous'; readonly label: string };

/** The number of characters after `ZK-` in a label. They are the last characters of the finding's id. */
const LABEL_LENGTH = 8;

/**
 * Finds the findings of one scan that the labels name. Returns a finding once, even if two labels name it. Pure.
 *
 * A label is the full id of a finding, or its last eight characters with or without `ZK-`. If no id ends in exactly
 * these eight characters, upper and lower case do not matter.
 */
export function chooseFindings(labels: readonly string[], findings: readonly Finding[]): readonly Chosen[] {
  const titles = new Map(findings.flatMap(({ id, title }) => (id === undefined ? [] : [[id, title]])));
  const chosen = new Map<string, Chosen>();
  for (const label of labels) {
    const found = chooseOne(label, titles);
    chosen.set(found.kind === 'finding' ? `finding ${found.id}` : `label ${label}`, found);
  }
  return [...chosen.values()];
}

function chooseOne(label: string, titles: ReadonlyMap<string, string>): Chosen {
  const ids = [...titles.keys()];
  const short = label.replace(/^zk-/i, '');
  const exact = ids.filter((id) => shortOf(id) === short);
  const folded = exact.length > 0 ? exact : ids.filter((id) => isSame(shortOf(id), short));
  const [id, other] = titles.has(label) ? [label] : folded;
  if (id === undefined) return { kind: 'unknown', label };
  if (other !== undefined) return { kind: 'ambiguous', label };
  return { kind: 'finding', label: `ZK-${shortOf(id)}`, id, title: titles.get(id) ?? '' };
}

function shortOf(id: string): string {
  return [...id].slice(-LABEL_LENGTH).join('');
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
