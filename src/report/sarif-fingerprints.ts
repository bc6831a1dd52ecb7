import type { Finding } from '../domain/finding.ts';
import type { GroupedFinding } from './grouped-findings.ts';
import { ruleIdOf } from './sarif-rules.ts';
import { hashOf } from './sarif-text.ts';

/**
 * A fingerprint for each finding: a hash of its rule and its path, and its number among the findings with both. It does
 * not change if triage changes the severity, if lines move, or if the service assigns new finding ids.
 * `primaryLocationLineHash`, the only fingerprint that GitHub reads, has the same form.
 */
export function fingerprintsOf(all: readonly GroupedFinding[]): ReadonlyMap<GroupedFinding, string> {
  const seen = new Map<string, number>();
  return new Map(
    all
      .toSorted((a, b) => byPlace(a.finding, b.finding))
      .map((one) => {
        const hash = hashOf('occurrence', ruleIdOf(one.finding), one.finding.location?.path);
        const number = (seen.get(hash) ?? 0) + 1;
        seen.set(hash, number);
        return [one, `${hash}:${number}`] as const;
      }),
  );
}

/** By line, then by title. Paths need no order, because each has numbers of its own. */
function byPlace(a: Finding, b: Finding): number {
  const lines = (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0);
  const ends = (a.location?.endLine ?? 0) - (b.location?.endLine ?? 0);
  return lines || ends || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0);
}
