import type { Finding } from '../domain/finding.ts';
import type { GroupedFinding } from './grouped-findings.ts';
import { ruleIdOf } from './sarif-rules.ts';
import { hashOf } from './sarif-text.ts';

/**
 * Computes a fingerprint `<hash>:<number>` for each finding. The hash is made from the finding's rule and path. The
 * number distinguishes findings with the same rule and path.
 *
 * The fingerprint stays the same if triage changes the severity, if lines move, or if the service assigns new finding
 * ids. SARIF files contain the fingerprint as `primaryLocationLineHash`, because GitHub reads no other fingerprint.
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

/** Sorts by start line, end line and title. Each path has numbers of its own, so the order of paths does not matter. */
function byPlace(a: Finding, b: Finding): number {
  const lines = (a.location?.startLine ?? 0) - (b.location?.startLine ?? 0);
  const ends = (a.location?.endLine ?? 0) - (b.location?.endLine ?? 0);
  return lines || ends || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0);
}
