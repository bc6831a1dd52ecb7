import type { Finding } from '../domain/finding.ts';

/** What a label of a command names among the findings of the scan. */
export type Chosen =
  | { readonly kind: 'finding'; readonly label: string; readonly id: string }
  | { readonly kind: 'unknown' | 'ambiguous'; readonly label: string };

/** The service's label is `ZK-` and the last characters of the id, so many of them. */
const LABEL_LENGTH = 8;

/**
 * Looks the labels up in the findings of one scan: a finding of another scan or repository cannot be named. Letter case
 * and the prefix do not count, unless two findings differ in nothing else; the full id names a finding too. A finding
 * that is named twice is chosen once. Pure.
 */
export function chooseFindings(labels: readonly string[], findings: readonly Finding[]): readonly Chosen[] {
  const ids = [...new Set(findings.flatMap(({ id }) => id ?? []))];
  const chosen = new Map<string, Chosen>();
  for (const label of labels) {
    const found = chooseOne(label, ids);
    chosen.set(found.kind === 'finding' ? `finding ${found.id}` : `label ${label}`, found);
  }
  return [...chosen.values()];
}

function chooseOne(label: string, ids: readonly string[]): Chosen {
  if (ids.includes(label)) return named(label);
  const short = label.replace(/^zk-/i, '');
  const exact = ids.filter((id) => shortOf(id) === short);
  const folded = exact.length > 0 ? exact : ids.filter((id) => isSame(shortOf(id), short));
  const [id, other] = folded;
  if (id === undefined) return { kind: 'unknown', label };
  return other === undefined ? named(id) : { kind: 'ambiguous', label };
}

function named(id: string): Chosen {
  return { kind: 'finding', label: `ZK-${shortOf(id)}`, id };
}

function shortOf(id: string): string {
  return [...id].slice(-LABEL_LENGTH).join('');
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
