import type { Reason } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import {
  type EvidenceLevel,
  evidenceInput,
  type FailOn,
  failOnText,
  type GatePolicy,
  mildestOf,
  type Verdict,
} from '../domain/verdict.ts';
import { closingChoice, REASON_LABELS } from './labels.ts';
import { docsPage } from './links.ts';

/** A verdict with findings of any type, because the headline only counts them. */
type AnyVerdict = Verdict<unknown>;

/** A verdict in a few sentences of plain text. `cause` and `nextStep` may hold foreign text. */
export interface Headline {
  /** A short text, such as `Blocked: 2 findings at or above high`. */
  readonly text: string;
  /** Says why nothing was scanned. Undefined for every outcome except `not-scanned`. */
  readonly cause: string | undefined;
  /** Several causes, which are shown as a list. Each may hold foreign text. */
  readonly problems: readonly string[];
  /** Says what to do. If there is nothing to do, says what the verdict means. */
  readonly nextStep: string;
}

/** What a headline depends on. */
export interface HeadlineFacts {
  readonly verdict: AnyVerdict;
  readonly policy: GatePolicy;
  readonly target?: ScanTarget | undefined;
  /** The origin of the scanning service; empty or undefined if it is not known. */
  readonly serviceOrigin?: string;
}

/** Describes the verdict. A change that was not scanned never looks like a change without findings. */
export function headline(facts: HeadlineFacts): Headline {
  const { verdict, policy } = facts;
  const { cause, problems = [] } = verdict.failure ?? {};
  const [text, next] = PHRASES[verdict.outcome];
  const nextStep = `${next(facts)}${evidenceNote(verdict, policy)}${exemptNote(verdict)}`;
  return { text: text(facts), cause, problems, nextStep };
}

type Phrase = (facts: HeadlineFacts) => string;

/** The text and the next step of each outcome. */
const PHRASES: Readonly<Record<AnyVerdict['outcome'], readonly [text: Phrase, nextStep: Phrase]>> = {
  blocked: [blockedText, blockedNext],
  passed: [passedText, passedNext],
  unchanged: [
    () => 'Nothing to scan: no changes since the merge base',
    () => 'Scangate launched no scan and used no credits.',
  ],
  'not-scanned': [notScannedText, notScannedNext],
};

/** Counts the findings that are not reported, for example `1 finding below medium and 2 findings closed by triage`. */
export function unlistedText({ verdict, policy }: HeadlineFacts): string | undefined {
  const { below, exempt, triaged } = verdict.findings;
  const pieces = [
    below.length === 0 ? [] : [`${countOf(below.length, 'finding')} below ${policy.severityThreshold}`],
    exempt.length === 0 ? [] : [`${countOf(exempt.length, 'finding')} exempt by path`],
    triaged.length === 0 ? [] : [`${countOf(triaged.length, 'finding')} closed by triage`],
  ].flat();
  return pieces.length === 0 ? undefined : joinedByAnd(pieces);
}

/** Says where the details are that the run did not read. @param above ` above` if the findings are listed above */
export function unreadText(count: number, above = ''): string {
  return `The details of ${countOf(count, 'finding')}${above} are only in the scanning service.`;
}

/** Writes a number with its noun, for example `1 finding` or `2 findings`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Says how to fix a finding, and how to contest it. Only a pull request has the page and the commands. Does not offer
 * the commands to the reader, because by default the author may not use them.
 */
function blockedNext({ target, serviceOrigin = '' }: HeadlineFacts): string {
  const host = URL.parse(serviceOrigin)?.hostname;
  const service = host === undefined ? 'the scanning service' : `the scanning service (\`${host}\`)`;
  const [commands, page] =
    target?.pullRequest === undefined
      ? ['', '']
      : [
          ` Where it is set up, another user with write access can use ${docsPage('triage', 'close-findings-by-comment')} instead.`,
          ` For more, see ${docsPage('outcomes', 'your-pull-request-is-blocked')}.`,
        ];
  return `Push a fix for each blocking finding, or contest it: close it in ${service} as ${closingChoice((status) => `\`${status}\``)}, then re-run this job.${commands} ${ASK_MAINTAINER}${page}`;
}

function blockedText({ verdict: { findings }, policy }: HeadlineFacts): string {
  const count = countOf(findings.blocking.length, 'finding');
  const more = [
    ...withoutEvidence(findings.withoutEvidence.length, policy.failOn, 'more'),
    ...exemptText(findings.exemptAtGate.length, 'more'),
  ];
  return `Blocked: ${count}${isList(policy.failOn) ? '' : ` ${gateOf(policy.failOn)}`}${inBrackets([...ruleOf(policy.failOn), ...more])}`;
}

function passedText({ verdict: { findings }, policy: { failOn } }: HeadlineFacts): string {
  const { reported, below, exempt, triaged } = findings;
  // The table below the headline counts these findings by severity.
  const open = reported.length + below.length + exempt.length;
  if (open === 0 && triaged.length === 0) return 'Passed: no findings';
  if (open === 0) return `Passed: no open findings, ${triaged.length} closed by triage`;
  const text = `Passed: ${countOf(open, 'finding')}`;
  if (failOn.rules.length === 0) return `${text}, none can block (fail-on: none)`;
  const gate = gateOf(failOn);
  const notes = [
    ...ruleOf(failOn),
    ...withoutEvidence(findings.withoutEvidence.length, failOn, gate),
    ...exemptText(findings.exemptAtGate.length, gate),
  ];
  return notes.length === 0 ? `${text}, none ${gate}` : `${text}, none blocking${inBrackets(notes)}`;
}

function notScannedText({ verdict: { failure, allowed }, target }: HeadlineFacts): string {
  const text = allowed ? 'Not scanned (allowed)' : 'Not scanned';
  if (failure === undefined) return text;
  const isClosed = failure.reason === 'unsupported-event' && target?.pullRequest?.state === 'closed';
  return `${text}: ${isClosed ? 'closed pull request' : REASON_LABELS[failure.reason]}`;
}

/** Returns the next step. Refers to a maintainer, unless the reason is allowed or its step needs no such sentence. */
function notScannedNext({ verdict: { failure, allowed } }: HeadlineFacts): string {
  if (failure === undefined) return '';
  return allowed || COMPLETE.has(failure.reason) ? failure.nextStep : `${failure.nextStep} ${ASK_MAINTAINER}`;
}

/**
 * Follows a step that authors of pull requests may be unable to take. They may lack write access, secrets, or an
 * account with the service.
 */
const ASK_MAINTAINER = 'If you cannot do this, ask a maintainer.';

/** The label of the next step if the reason is allowed. The change passes without this step. */
export const TO_GET_A_SCAN = 'To get a scan';

/** Reasons whose next step needs no maintainer, or already refers to one. */
const COMPLETE: ReadonlySet<Reason> = new Set(['missing-token', 'untrusted-fork', 'superseded']);

function passedNext({ verdict: { findings } }: HeadlineFacts): string {
  if (findings.reported.length > 0) return 'No blocking findings. Review the reported findings.';
  return findings.total === 0
    ? 'The scan completed without findings.'
    : 'The scan completed. No action is required.';
}

/** True if findings of different severities need different evidence to block. */
function isList({ rules }: FailOn): boolean {
  return rules.length > 1;
}

function gateOf(failOn: FailOn): string {
  return `at or above ${mildestOf(failOn)}`;
}

/** Returns the value of `fail-on` if it is a list. The words "at or above" cannot describe a list. */
function ruleOf(failOn: FailOn): string[] {
  return isList(failOn) ? [`fail-on: ${failOnText(failOn)}`] : [];
}

function withoutEvidence(count: number, failOn: FailOn, which: string): string[] {
  if (count === 0) return [];
  const lacks = isList(failOn) ? ' without the evidence' : LACKS[failOn.rules[0]?.evidence ?? 'any'];
  return [`${count} ${which}${lacks}`];
}

function exemptText(count: number, which: string): string[] {
  return count === 0 ? [] : [`${count} ${which} exempt by path`];
}

const LACKS: Readonly<Record<EvidenceLevel, string>> = {
  any: '',
  confirmed: ', but not confirmed',
  poc: ' without a proof of concept',
};

function inBrackets(notes: readonly string[]): string {
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}

/** Explains that a severe finding does not block because it lacks the required evidence. */
function evidenceNote({ findings }: AnyVerdict, { failOn }: GatePolicy): string {
  if (findings.withoutEvidence.length === 0) return '';
  const blocking = failOn.rules.map(({ severity, evidence }) =>
    BLOCKING[evidence](isList(failOn) ? `${severity} findings` : 'findings'),
  );
  return ` Only ${joinedByAnd(blocking)} block (\`${evidenceInput(failOn)}\`).`;
}

/** Explains that a severe finding does not block because its file is exempt. */
function exemptNote({ findings }: AnyVerdict): string {
  return findings.exemptAtGate.length === 0
    ? ''
    : ' Findings in files that `paths-exempt` matches do not block.';
}

/** Makes `a`, `a and b`, or `a, b, and c`. `Intl.ListFormat` would do the same, but would load more data. */
function joinedByAnd(pieces: readonly string[]): string {
  return pieces.length < 3 ? pieces.join(' and ') : `${pieces.slice(0, -1).join(', ')}, and ${pieces.at(-1)}`;
}

const BLOCKING: Readonly<Record<EvidenceLevel, (findings: string) => string>> = {
  any: (findings) => findings,
  confirmed: (findings) => `confirmed ${findings}`,
  poc: (findings) => `${findings} with a proof of concept`,
};
