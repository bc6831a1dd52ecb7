import type { NotScanned } from '../domain/result.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { quoted } from '../text/visible-text.ts';

/** The checks of the doctor, in the order of its table. `docs/doctor.md` explains each check. */
export const CHECKS = [
  'Inputs',
  'Address',
  'Token',
  'Project',
  'Scopes',
  'Spend limit',
  'Allowlist',
  'Repository',
  'Preset',
  'Pull request',
  'Schedule',
  'Budget',
  'Scan list',
  'Scan detail',
  'Findings',
  'Guidance',
  'Launch request',
  'Comparison',
  'Check runs',
  'Required check',
  'Expected source',
  'Gate job',
  'Policy',
  'Same name',
  'Merge queue',
  'Required workflow',
  'Event policy',
  'Environment',
  'Triage',
] as const;
export type Check = (typeof CHECKS)[number];

/** Who can fix a problem. */
export type Fixer =
  | 'Workflow maintainer'
  | 'Project admin of the service'
  | 'Support of the service'
  | 'Repository admin on GitHub'
  | 'Admin of the runner';

/** `skipped` means that nothing was checked, because data is missing or another row shows the problem. */
export type Level = 'ok' | 'warning' | 'error' | 'skipped';

/**
 * - `unasked`: GitHub was not asked.
 * - `skipped`: the gate's job can be skipped, and GitHub counts a skipped job as passed.
 * - `policy`: the inputs of the gate let changes pass.
 */
export type Caveat = 'unasked' | 'skipped' | 'policy';

/** One row of the table. Each text is one line that may hold foreign text. Text in backticks is code. */
export interface Row {
  readonly check: Check;
  readonly level: Level;
  readonly text: string;
  readonly fix?: { readonly who: Fixer; readonly what: string };
  /** Why the last line of the table must not say "Ready" alone. */
  readonly caveat?: Caveat;
}

export function ok(check: Check, text: string): Row {
  return { check, level: 'ok', text };
}

export function skipped(check: Check, text: string): Row {
  return { check, level: 'skipped', text };
}

export function warning(check: Check, text: string, who: Fixer, what: string): Row {
  return { check, level: 'warning', text, fix: { who, what } };
}

export function error(check: Check, text: string, who: Fixer, what: string): Row {
  return { check, level: 'error', text, fix: { who, what } };
}

/** Makes an error row of a failure that the gate would report. */
export function errorOf(check: Check, { cause, nextStep }: NotScanned, who: Fixer): Row {
  return error(check, cause, who, nextStep);
}

/** Formats foreign text as code. */
export function code(text: string): string {
  return quoted(text);
}

/** Explains a failed read as the gate does. Only the text about a time limit is different. */
export function explainRead(failure: ApiError): NotScanned {
  if (failure.kind !== 'stopped' || failure.by !== 'timeout') return explainApiError(failure);
  return {
    reason: 'timeout',
    cause: `The doctor reached its time limit before it could ${failure.operation}.`,
    nextStep: "Check the service's status page, then run the doctor again.",
  };
}

/** Who can fix a failed request. */
export function fixerOf(failure: ApiError): Fixer {
  switch (failure.kind) {
    case 'refused':
      return failure.status === 429 || failure.status >= 500
        ? 'Support of the service'
        : 'Project admin of the service';
    case 'invalid':
      return failure.status >= 500 ? 'Support of the service' : 'Workflow maintainer';
    case 'unreachable':
      return failure.cause === 'reset' || failure.cause === 'timeout' || failure.cause === 'other'
        ? 'Support of the service'
        : 'Admin of the runner';
    case 'stopped':
      return 'Workflow maintainer';
  }
}
