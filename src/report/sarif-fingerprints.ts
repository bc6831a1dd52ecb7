import type { Finding } from '../domain/finding.ts';
import type { GroupedFinding } from './grouped-findings.ts';
import { ruleIdOf } from './sarif-rules.ts';
import { hashOf } from './sarif-text.ts';

/**
 * A fingerprint for each finding, from its rule, its path and its order of occurrence in that file. It stays the same
 * when triage changes the severity, when lines move and when the service gives new finding ids. The form, a hash and a
 * running number, is the one of `primaryLocationLineHash`, the only fingerprint that GitHub reads.
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

/** By line; a title orders those of the same line. Paths need no order, because each has numbers of its own. */
function byPlace(a: Finding, b: Finding): number {
  const lines = (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0);
  const ends = (a.location?.endLine ?? 0) - (b.location?.endLine ?? 0);
  return lines || ends || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0);
}
