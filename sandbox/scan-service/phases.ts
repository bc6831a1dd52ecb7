import type { Analysis } from './analyzer/analyze.ts';
import type { ScanRecord } from './state.ts';

/** A phase. `share` is its credits, a whole number. The shares of all phases add up to the budget. */
type Phase = ScanRecord['phases'][number];

/** The phases of each scan. The weights are hundredths of the budget. */
const FLOW = [
  ['read-commits', 5],
  ['map-change', 15],
  ['code-rules', 40],
  ['credentials', 20],
  ['triage', 15],
  ['report', 5],
] as const;

/** Divides the budget among the phases. The last phase gets what is left after rounding. */
export function planPhases(budget: number): Phase[] {
  const shares = FLOW.map(([, weight]) => Math.floor((budget * weight) / 100));
  const rest = budget - shares.reduce((total, share) => total + share, 0);
  return FLOW.map(([name], index) => ({
    name,
    share: (shares[index] ?? 0) + (index === FLOW.length - 1 ? rest : 0),
  }));
}

/** True if a phase has nothing to do. Such a phase counts as finished, and costs nothing. */
export function isSkipped(phase: Phase, analysis: Analysis): boolean {
  return phase.name === 'code-rules' && !analysis.anyCode;
}

/** Returns the finished phases' share of the budget, from 0 to 1. */
export function weightedCompletion(phases: readonly Phase[], finished: number): number {
  const total = phases.reduce((sum, phase) => sum + phase.share, 0);
  const done = phases.slice(0, finished).reduce((sum, phase) => sum + phase.share, 0);
  return total === 0 ? finished / phases.length : Math.round((done / total) * 1000) / 1000;
}
