import { type Finding, isOpen } from '../domain/finding.ts';
import { type KnownFinding, traitsOf } from '../domain/known-finding.ts';
import { severityRank } from '../domain/severity.ts';

/**
 * Returns the findings that blocked, are still open, and are at least as severe as before. A finding that triage made
 * less severe may no longer block: this code does not know the gate's threshold. Pure.
 * @param findings of the scan, as they are now
 * @param known the findings as the gate reported them
 */
export function stillBlocking(
  findings: readonly Finding[],
  known: readonly KnownFinding[],
): readonly KnownFinding[] {
  const rest = findings.map((finding) => ({ finding, traits: traitsOf(finding) }));
  return known.filter(({ blocks, id, fingerprint, level }) => {
    if (!blocks) return false;
    const index = rest.findIndex(({ traits }) =>
      id === undefined ? traits.fingerprint === fingerprint : traits.id === id,
    );
    // Each current finding is used only once. Findings without ids look the same if they have the same title and file.
    const [found] = index < 0 ? [] : rest.splice(index, 1);
    return (
      found !== undefined && isOpen(found.finding) && severityRank(found.traits.level) <= severityRank(level)
    );
  });
}
