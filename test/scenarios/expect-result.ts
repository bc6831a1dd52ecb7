import { expect } from 'vitest';
import { ALLOWABLE_REASONS } from '../../src/domain/result.ts';
import { allNodes, parseGfm } from '../unit/report/gfm.ts';
import type { ScenarioResult } from './scenario.ts';

/** Inputs that allow every reason that can be allowed. */
export const EVERYTHING_ALLOWED = { 'allow-unscanned': ALLOWABLE_REASONS.join(', ') };

/** The two ways in which a test runs. The input `allow-unscanned` lists the reason only if `allowed` is true. */
export const BOTH_WAYS = [
  { way: 'the job fails', allowed: false },
  { way: 'the job passes, because the workflow allows the reason', allowed: true },
];

/** Returns inputs that allow only this reason, or none. */
export function allowing(reason: string, allowed: boolean): Readonly<Record<string, string>> {
  return allowed ? { 'allow-unscanned': reason } : {};
}

/** The expected result of a run, in every output that shows it. */
export interface Promised {
  readonly outcome: 'passed' | 'blocked' | 'unchanged' | 'not-scanned';
  readonly reason?: string;
  readonly exitCode: 0 | 1;
  /** The conclusion of the check run. `none`: there is no check run. */
  readonly conclusion: 'success' | 'neutral' | 'failure' | 'none';
  /** The number of launch requests that reached the service. */
  readonly launches: number;
  /** Texts of the cause and of the next step. Every output that shows the verdict has them. */
  readonly texts: readonly string[];
  /** Reserved credits at the end. Default: 0. */
  readonly reserved?: number;
  /** False: the service has a scan whose id the action never received. */
  readonly scanKnown?: false;
}

/** Checks that exit code, outputs, check run, ledger and texts agree. */
export function expectResult(result: ScenarioResult, promised: Promised): void {
  const { run, environment, headSha } = result;
  expect(run.outputs, run.log).toMatchObject({
    outcome: promised.outcome,
    reason: promised.reason ?? '',
    'scan-id': promised.scanKnown === false ? '' : (environment.service.scans()[0]?.id ?? ''),
  });
  expect({ exitCode: run.exitCode, signal: run.signal }).toEqual({
    exitCode: promised.exitCode,
    signal: null,
  });
  expectCounts(result, promised);
  expectCheckRun(result, promised);
  expectLedger(result, promised);
  expectTexts(result, promised);
  expect([headSha, '']).toContain(run.outputs['head-commit']);
}

/** Checks the result of a change that was not scanned. The job passes only with `allowed`. */
export function expectNotScanned(
  result: ScenarioResult,
  reason: string,
  promised: Pick<Promised, 'launches' | 'texts' | 'reserved' | 'scanKnown'> & {
    readonly allowed?: boolean;
    readonly checkRun?: false;
  },
): void {
  const { allowed = false, checkRun, ...rest } = promised;
  expectResult(result, {
    outcome: 'not-scanned',
    reason,
    exitCode: allowed ? 0 : 1,
    conclusion: checkRun === false ? 'none' : allowed ? 'neutral' : 'failure',
    ...rest,
  });
}

function expectCounts({ run }: ScenarioResult, { outcome }: Promised): void {
  const scanned = outcome === 'passed' || outcome === 'blocked';
  const counted = scanned ? expect.stringMatching(/^\d+$/) : '';
  expect(run.outputs).toMatchObject({
    'findings-total': counted,
    'findings-reported': counted,
    'findings-blocking': counted,
    'severity-counts': scanned ? expect.stringMatching(/^\{"CRITICAL":\d/) : '',
  });
  if (scanned) expect(run.outputs['scan-status']).toBe('COMPLETED');
  else expect(run.outputs['highest-severity']).toBe('');
}

/** Checks that there is at most one check run. It must be completed, on the head, and named in the outputs. */
function expectCheckRun({ run, environment, headSha }: ScenarioResult, { conclusion }: Promised): void {
  const shown = environment.github.checkRuns.map((one) => [one.headSha, one.status, one.conclusion]);
  expect(shown).toEqual(conclusion === 'none' ? [] : [[headSha, 'completed', conclusion]]);
  expect(run.outputs['check-run-url']).toBe(environment.github.checkRuns[0]?.htmlUrl ?? '');
}

/** Checks the number of launches and of reserved credits. If no credits are reserved, no scan may be running. */
function expectLedger({ environment }: ScenarioResult, { launches, reserved = 0 }: Promised): void {
  const { service } = environment;
  const ledger = service.ledger();
  const bought = ledger.entries
    .filter(({ kind }) => kind === 'purchase')
    .reduce((sum, one) => sum + one.credits, 0);
  expect(service.requests.filter(({ point }) => point === 'scans.launch')).toHaveLength(launches);
  expect(service.scans().length).toBeLessThanOrEqual(Math.min(launches, 1));
  expect(ledger.reserved, 'credits reserved').toBe(reserved);
  expect(ledger.balance + ledger.reserved + ledger.spent).toBe(bought);
  if (reserved === 0)
    expect(
      service.scans().filter(({ status }) => !['COMPLETED', 'FAILED', 'CANCELLED'].includes(status)),
    ).toEqual([]);
}

/**
 * Checks that every output shows the cause and the next step, and that "not scanned" never looks like "no findings".
 */
function expectTexts({ run, environment }: ScenarioResult, { outcome, texts }: Promised): void {
  const places = new Map([['log', plain(run.log)]]);
  if (run.summary !== '') places.set('summary', readable(run.summary));
  for (const { output } of environment.github.checkRuns)
    places.set(
      'check run',
      `${output.title}\n${readable(output.summary ?? '')}\n${readable(output.text ?? '')}`,
    );
  for (const { body, author } of environment.github.comments)
    if (author === 'github-actions[bot]') places.set('comment', readable(body));
  for (const [place, text] of places) {
    for (const expected of texts) expect(text, `the ${place}`).toContain(plain(expected));
    if (outcome === 'not-scanned')
      expect(text, `the ${place}`).not.toMatch(/\b(?:0|no) (?:open )?findings\b/i);
  }
}

/** The text of the Markdown that a reader sees. */
export function readable(markdown: string): string {
  const text = allNodes(parseGfm(markdown)).map((node) =>
    node.type === 'text' || node.type === 'inlineCode' || node.type === 'code'
      ? node.value
      : node.type === 'paragraph' || node.type === 'heading'
        ? '\n'
        : '',
  );
  return plain(text.join(''));
}

/** Removes backticks, and the invisible characters that keep GitHub from linking. */
export function plain(text: string): string {
  return text.replaceAll(/[`\u200b]/g, '');
}
