import { findRepository, type WantedRepository } from '../preflight/choose.ts';
import { planBase } from '../preflight/planned-base.ts';
import { countOf as describeCount } from '../report/headline.ts';
import { join, LINE_BREAK, md, NOTHING, type SafeMarkdown, toText } from '../report/markdown.ts';
import { renderCodeSpans } from '../report/prose.ts';
import { readLaunchParameters, sentValue } from '../scan-api/wire-writes.ts';
import { foreignLine } from '../text/visible-text.ts';
import { assumptionRows } from './assumption-rows.ts';
import type { DoctorFacts } from './facts.ts';
import { forkRows } from './fork-rows.ts';
import { gateOf } from './gate.ts';
import { githubRows } from './github-rows.ts';
import { gateJobRows } from './job-rows.ts';
import { guidanceRows, guidanceText, inputRows, launchRow } from './launch-row.ts';
import { sameNameRows } from './name-rows.ts';
import { policyRows } from './policy-rows.ts';
import { queueRows, requiredWorkflowRows } from './queue-rows.ts';
import { requiredRows, unknownRequirement } from './required-rows.ts';
import type { Caveat, Level, Row } from './row.ts';
import { addressRows, chosenPreset, presetRows, repositoryRows, tokenRows } from './service-rows.ts';
import { sourceRows } from './source-rows.ts';
import { triageRows } from './triage-rows.ts';

/** Computes the rows of the table. Shows all problems, not only the first. Pure. */
export function diagnose(facts: DoctorFacts): readonly Row[] {
  const { reading, repository, proxy, service, github, now } = facts;
  const { connection, setup, publish } = reading.inputs;
  const { headSha, isPublic } = repository;
  const parameters = readLaunchParameters(setup.launchParameters);
  const wanted = wantedRepository(facts);
  const question = {
    ref: sentValue(parameters, 'presetRef', setup.preset),
    creditBudget: sentValue(parameters, 'creditBudget', setup.creditBudget),
  };
  const found = foundRepository(facts);
  const chosen = chosenPreset(service, question);
  const base = planBase(headSha, setup.baseSha, parameters);
  return [
    ...inputRows(reading, parameters, headSha, facts.isCommandLine),
    ...addressRows(connection.baseUrl, proxy, service),
    ...tokenRows(service, {
      willPublish: publish.when !== 'never',
      budget: chosen?.creditBudget,
      repository: found,
      isPublic,
      now,
    }),
    ...repositoryRows(service, found, wanted),
    ...presetRows(service, question),
    ...assumptionRows(service, isPublic),
    ...guidanceRows(facts.guidance),
    launchRow(
      found?.ok ? found.value : undefined,
      chosen,
      base.ok ? base.value : setup.baseSha,
      parameters,
      guidanceText(facts.guidance),
    ),
    ...githubRows(github, facts.isCommandLine),
    ...gateRows(facts),
  ];
}

/** Rows about the workflows and the rules of the repository, which decide whether the required check is reliable. */
function gateRows({ github, repository, reading }: DoctorFacts): readonly Row[] {
  const gate = github === undefined ? undefined : gateOf(github, repository);
  if (github === undefined || gate === undefined) return [unknownRequirement(github)];
  const { checkName } = reading.inputs.delivery;
  const app = github.jobApps?.get(checkName);
  return [
    ...requiredRows(gate, checkName, app?.ok ? app.value : undefined),
    ...sourceRows(gate, github, repository.serverUrl),
    ...gateJobRows(gate, repository.serverUrl),
    ...policyRows(gate, github),
    ...sameNameRows(gate),
    ...queueRows(gate, github),
    ...requiredWorkflowRows(gate),
    ...forkRows(gate, github, repository.serverUrl),
    ...triageRows(gate, github),
  ];
}

/** Finds the gate's repository in the list of the service. Undefined if the list was not read. Pure. */
export function foundRepository(facts: DoctorFacts): ReturnType<typeof findRepository> | undefined {
  const list = facts.service?.lists?.repositories;
  return list?.ok ? findRepository(list.value, wantedRepository(facts)) : undefined;
}

function wantedRepository({ reading, repository }: DoctorFacts): WantedRepository {
  const { owner, name, serverUrl } = repository;
  const { repositoryId, launchParameters } = reading.inputs.setup;
  const id = sentValue(readLaunchParameters(launchParameters), 'repositoryId', repositoryId);
  return { repositoryId: id, owner, name, serverUrl };
}

/** True if no row is an error, so the gate can work. */
export function isReady(rows: readonly Row[]): boolean {
  return countOf(rows, 'error') === 0;
}

export function countOf(rows: readonly Row[], wanted: Row['level']): number {
  return rows.filter(({ level }) => level === wanted).length;
}

/** The sign at the start of each line in the log. */
const SIGNS: Readonly<Record<Level, string>> = { ok: '✓', warning: 'warning', error: 'error', skipped: '–' };
const MARKS: Readonly<Record<Level, SafeMarkdown>> = {
  ok: md`✓`,
  warning: md`⚠️&nbsp;warning`,
  error: md`❌&nbsp;error`,
  skipped: md`–`,
};

export const NO_CHARGE = 'The doctor only reads. It launched no scan, used no credits and changed nothing.';

/**
 * The most characters of a text in the table. Our choice. The doctor's longest sentence fits, even if it lists twenty
 * names.
 */
const LONGEST_TEXT = 2_000;

/** The start and the end of the last line, by what limits the result. If there are several, the first one counts. */
const CAVEATS: readonly (readonly [caveat: Caveat, start: string, end: string])[] = [
  ['unasked', 'Ready, as far as the service goes', ' GitHub was not checked.'],
  ['skipped', 'Ready only if the job of the gate always runs', ' GitHub counts a skipped job as passed.'],
  ['policy', 'Ready, but the policy lets changes pass', ''],
];

/** Says whether the gate can work, and under which condition. */
export function describeTable(rows: readonly Row[]): string {
  const errors = describeCount(countOf(rows, 'error'), 'error');
  const warnings = describeCount(countOf(rows, 'warning'), 'warning');
  const [, start, end] = caveatOf(rows) ?? ['', 'Ready', ''];
  return isReady(rows) ? `${start}: ${errors}, ${warnings}.${end}` : `Not ready: ${errors}, ${warnings}.`;
}

function headSign(rows: readonly Row[]): SafeMarkdown {
  if (!isReady(rows)) return md`❌`;
  return caveatOf(rows) === undefined ? md`✅` : md`⚠️`;
}

function caveatOf(rows: readonly Row[]): (typeof CAVEATS)[number] | undefined {
  return CAVEATS.find(([caveat]) => rows.some((row) => row.caveat === caveat));
}

/** Makes the table for the log. Each row is one line. A problem has a second line that says how to fix it. */
export function tableLines(all: readonly Row[]): readonly string[] {
  const rows = all.map(shortened);
  const width = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length), 0);
  const signs = width(rows.map(({ level }) => SIGNS[level]));
  const checks = width(rows.map(({ check }) => check));
  return rows.flatMap(({ check, level, text, fix }) => [
    `${SIGNS[level].padEnd(signs)}  ${check.padEnd(checks)}  ${text}`,
    ...(fix === undefined ? [] : [`${' '.repeat(signs + checks + 4)}${fix.who}: ${fix.what}`]),
  ]);
}

/** Makes one line for each error, for the end of the log of a failed run. */
export function problemLines(rows: readonly Row[]): readonly string[] {
  return rows
    .filter(({ level }) => level === 'error')
    .map(shortened)
    .map(
      ({ check, text, fix }) => `- ${check}: ${text}${fix === undefined ? '' : ` ${fix.who}: ${fix.what}`}`,
    );
}

/** Makes the table for the job summary. */
export function renderTable(rows: readonly Row[]): string {
  const lines = [
    md`## ${headSign(rows)} ${describeTable(rows)}`,
    md``,
    md`| | Check | Result | Who can fix it |`,
    md`| --- | --- | --- | --- |`,
    ...rows.map(shortened).map(rowLine),
    md``,
    md`${NO_CHARGE}`,
  ];
  return `${lines.map(toText).join('\n')}\n`;
}

function shortened({ fix, text, ...row }: Row): Row {
  const shown = { ...row, text: foreignLine(text, LONGEST_TEXT) };
  return fix === undefined ? shown : { ...shown, fix: { ...fix, what: foreignLine(fix.what, LONGEST_TEXT) } };
}

function rowLine({ check, level, text, fix }: Row): SafeMarkdown {
  const who = fix === undefined ? NOTHING : join([md`**${fix.who}**`, renderCodeSpans(fix.what)], LINE_BREAK);
  return md`| ${MARKS[level]} | ${check} | ${renderCodeSpans(text)} | ${who} |`;
}
