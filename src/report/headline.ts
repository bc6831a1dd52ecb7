import type { Reason } from '../domain/not-scanned.ts';
import type { GatePolicy, Verdict } from '../domain/verdict.ts';
import { REASON_WORDS } from './reason-words.ts';

/** What a verdict comes down to, as plain text; `cause` and `nextStep` may hold foreign text. */
export interface Headline {
  /** A few words that stand alone, for example `Blocked: 2 findings at or above high`. */
  readonly words: string;
  /** One sentence: why. Only where nothing was scanned. */
  readonly cause: string | undefined;
  /** One or two sentences: what to do, or what the verdict means where nothing is to be done. */
  readonly nextStep: string;
}

/** The verdict in words. "Not scanned" never looks like "no findings". */
export function headline(verdict: Verdict, policy: GatePolicy): Headline {
  switch (verdict.outcome) {
    case 'blocked':
      return {
        words: blockedWords(verdict, policy),
        cause: undefined,
        nextStep: `${BLOCKED_NEXT}${evidenceNote(verdict, policy)}`,
      };
    case 'passed':
      return {
        words: passedWords(verdict, policy),
        cause: undefined,
        nextStep: `${passedNext(verdict)}${evidenceNote(verdict, policy)}`,
      };
    case 'unchanged':
      return {
        words: 'Nothing to scan: no change against the merge base',
        cause: undefined,
        nextStep: 'No scan was launched and no credits were reserved. There is nothing to do.',
      };
    case 'not-scanned':
      return {
        words: notScannedWords(verdict),
        cause: verdict.stop?.cause,
        nextStep: notScannedNext(verdict),
      };
  }
}

/** The headline on one line, with the cause where nothing was scanned. */
export function headlineLine({ words, cause }: Headline): string {
  return cause === undefined ? words : `${words}. ${cause}`;
}

/** The findings that are not reported, counted: `1 finding below medium and 2 findings closed by triage`. */
export function unlistedWords({
  verdict,
  policy,
}: {
  readonly verdict: Verdict;
  readonly policy: GatePolicy;
}): string | undefined {
  const { below, triaged } = verdict.findings;
  const parts = [
    below.length === 0 ? [] : [`${countOf(below.length, 'finding')} below ${policy.severityThreshold}`],
    triaged.length === 0 ? [] : [`${countOf(triaged.length, 'finding')} closed by triage`],
  ].flat();
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** `1 finding`, `2 findings`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const BLOCKED_NEXT =
  'Push a fix for each finding that blocks, or have it triaged in the scanning service and run the job again.';

function blockedWords({ findings }: Verdict, policy: GatePolicy): string {
  const count = countOf(findings.blocking.length, 'finding');
  return `Blocked: ${count} at or above ${policy.failOn}${withoutEvidence(findings.withoutEvidence.length, policy, 'more')}`;
}

function passedWords({ findings }: Verdict, policy: GatePolicy): string {
  const { reported, below, triaged } = findings;
  const missing = withoutEvidence(findings.withoutEvidence.length, policy, `at or above ${policy.failOn}`);
  // Of all that are open, as the table below it counts them.
  const open = countOf(reported.length + below.length, 'finding');
  if (reported.length > 0 && policy.failOn === 'none')
    return `Passed: ${open}, none can block (fail-on is none)`;
  if (reported.length > 0)
    return missing === '' ? `Passed: ${open} below the gate` : `Passed: ${open}, none blocks${missing}`;
  if (below.length > 0)
    return `Passed: no findings at or above ${policy.severityThreshold}, ${below.length} below${missing}`;
  return triaged.length > 0 ? `Passed: no open findings, ${triaged.length} triaged` : 'Passed: no findings';
}

function notScannedWords({ stop, allowed }: Verdict): string {
  const words = allowed ? 'Not scanned (allowed)' : 'Not scanned';
  return stop === undefined ? words : `${words}: ${REASON_WORDS[stop.reason]}`;
}

/** Whoever let the reason pass already is not told to do so. */
function notScannedNext({ stop, allowed }: Verdict): string {
  if (stop === undefined) return '';
  if (allowed || !EVERYDAY.has(stop.reason)) return stop.nextStep;
  return `${stop.nextStep} To let such pull requests pass unscanned, a maintainer lists \`${stop.reason}\` in \`allow-unscanned\`.`;
}

/** Reasons that are nobody's fault, and that many a repository lives with. */
const EVERYDAY: ReadonlySet<Reason> = new Set(['missing-token', 'untrusted-fork']);

function passedNext({ findings }: Verdict): string {
  if (findings.reported.length > 0) return 'Nothing blocks this change. What was found is worth a look.';
  return findings.total === 0
    ? 'The scan of this change completed and found nothing. There is nothing to do.'
    : 'The scan of this change completed. There is nothing that has to be done now.';
}

function withoutEvidence(count: number, policy: GatePolicy, which: string): string {
  if (count === 0 || policy.failOnEvidence === 'any') return '';
  return ` (${count} ${which} ${policy.failOnEvidence === 'poc' ? 'without a proof of concept' : 'not confirmed'})`;
}

/** Why a grave finding does not block, where the gate asks for evidence. */
function evidenceNote({ findings }: Verdict, { failOn, failOnEvidence }: GatePolicy): string {
  if (findings.withoutEvidence.length === 0 || failOnEvidence === 'any') return '';
  const wanted = failOnEvidence === 'poc' ? 'whose proof of concept ran' : 'that are confirmed';
  return ` Of the findings at or above ${failOn}, only those ${wanted} block here (\`fail-on-evidence\`).`;
}
