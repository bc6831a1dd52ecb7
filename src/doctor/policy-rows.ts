import {
  matchesEverything,
  matchesExtension,
  type PathPatterns,
  readPathPatterns,
} from '../domain/path-patterns.ts';
import type { Reason } from '../domain/result.ts';
import { EVIDENCE_LEVELS, type FailOn, failOnText } from '../domain/verdict.ts';
import { createInputReader, readFailOn, readReasons } from '../runner/input-forms.ts';
import { listed } from '../text/visible-text.ts';
import { eventsOf } from '../workflow/check.ts';
import { mayRun } from '../workflow/gaps.ts';
import { type Step, textOf } from '../workflow/workflow.ts';
import type { GitHubFacts } from './facts.ts';
import { decidingJobs, type Gate, nameOf } from './gate.ts';
import { unreadExtra } from './github-rows.ts';
import { code, ok, type Row, skipped, warning } from './row.ts';

const CHECK = 'Policy';
/** The reasons that the author of a pull request can cause by a change or a push. */
const CAUSED_BY_AUTHORS: readonly Reason[] = [
  'scan-failed',
  'timeout',
  'service-error',
  'insufficient-credits',
  'rate-limited',
  'superseded',
];
/** The reason that a fork causes on each event. GitHub withholds the token on `pull_request` only. */
const CAUSED_BY_FORKS: ReadonlyMap<string, Reason> = new Map([
  ['pull_request', 'missing-token'],
  ['pull_request_target', 'untrusted-fork'],
]);
const PATHS = ['paths-exempt', 'paths-unscanned'] as const;
const INPUTS = ['fail-on', 'fail-on-evidence', 'allow-unscanned', ...PATHS] as const;

/** The extension of source files, by the name that GitHub gives the language. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['C', 'c'],
  ['C#', 'cs'],
  ['C++', 'cpp'],
  ['Dart', 'dart'],
  ['Elixir', 'ex'],
  ['Go', 'go'],
  ['Java', 'java'],
  ['JavaScript', 'js'],
  ['Kotlin', 'kt'],
  ['Objective-C', 'm'],
  ['PHP', 'php'],
  ['Perl', 'pl'],
  ['Python', 'py'],
  ['Ruby', 'rb'],
  ['Rust', 'rs'],
  ['Scala', 'scala'],
  ['Shell', 'sh'],
  ['Solidity', 'sol'],
  ['Swift', 'swift'],
  ['TypeScript', 'ts'],
]);

/** What a step of the gate sets, as far as its workflow shows it. */
interface Policy {
  /** The name of the job's check. */
  readonly name: string;
  readonly events: readonly string[];
  readonly failOn: FailOn;
  readonly allowed: readonly Reason[];
  readonly paths: readonly (readonly [input: (typeof PATHS)[number], patterns: PathPatterns])[];
  /** The inputs whose value is an expression. */
  readonly unknown: readonly string[];
}

/** Rows that say what the gate lets pass, by the inputs in its own workflow. None if no workflow uses the gate. */
export function policyRows(gate: Gate, { languages }: GitHubFacts): readonly Row[] {
  const policies = policiesOf(gate);
  const names = languages?.ok ? languages.value : [];
  const rows = [
    ...reportRows(policies),
    ...policies.flatMap((policy) => [...reasonRows(policy), ...pathRows(policy, names)]),
    ...policies.filter(({ unknown }) => unknown.length > 0).map(unknownRow),
    ...(languages?.ok === false ? [unreadExtra(CHECK, languages.error)] : []),
  ];
  const shown = rows.length > 0 ? rows : policies.filter(blocks).map(blockingRow);
  return [...new Map(shown.map((row) => [row.text, row])).values()];
}

/** True if a step of the gate names paths, which can be all files of a language. */
export function namesPaths(gate: Gate): boolean {
  return policiesOf(gate).some(({ paths }) => paths.some(([, patterns]) => patterns.length > 0));
}

function policiesOf(gate: Gate): readonly Policy[] {
  return decidingJobs(gate).flatMap((job) => {
    const events = [...eventsOf(job.check).keys()];
    return job.check.steps
      .filter((step) => mayRun(step, gate.repository, job.check))
      .map((step) => ({ name: nameOf(job), events, ...inputsOf(step) }));
  });
}

function inputsOf({ inputs: given }: Step): Omit<Policy, 'name' | 'events'> {
  const value = (name: string) => textOf(given.get(name)) ?? '';
  const isKnown = (name: string) => !value(name).includes('${{');
  const { word, withDefault, text } = createInputReader({
    getInput: (name) => (isKnown(name) ? value(name) : ''),
    setSecret: () => {},
  });
  // An invalid value is no matter of the policy: the gate fails then.
  const ignored = () => {};
  const evidence = word('fail-on-evidence', EVIDENCE_LEVELS);
  return {
    failOn: readFailOn(withDefault('fail-on'), evidence, ignored),
    allowed: readReasons(withDefault('allow-unscanned'), ignored),
    paths: PATHS.map((name) => [name, readPathPatterns(text(name) ?? '').patterns]),
    unknown: INPUTS.filter((name) => !isKnown(name)),
  };
}

/** Warns if the gate only reports. It blocks if one of its steps does. */
function reportRows(policies: readonly Policy[]): readonly Row[] {
  if (policies.some(blocks)) return [];
  return policies.map(({ name }) =>
    lenient(
      `${code(name)} has \`fail-on: none\`: it reports only, and no finding blocks.`,
      'To block, set `fail-on` to a severity, such as `high`.',
    ),
  );
}

function blocks({ failOn, unknown }: Policy): boolean {
  return failOn.rules.length > 0 || unknown.includes('fail-on');
}

function reasonRows({ name, events, allowed }: Policy): readonly Row[] {
  const forks = events.flatMap((event) => CAUSED_BY_FORKS.get(event) ?? []);
  return [
    ...allowedRows(
      name,
      'The author of a pull request',
      allowed.filter((one) => CAUSED_BY_AUTHORS.includes(one)),
    ),
    ...allowedRows(
      name,
      'Any fork',
      allowed.filter((one) => forks.includes(one)),
    ),
  ];
}

function allowedRows(name: string, who: string, reasons: readonly Reason[]): readonly Row[] {
  if (reasons.length === 0) return [];
  const these = reasons.length === 1 ? 'this reason' : 'these reasons';
  return [
    lenient(
      `${code(name)} allows ${listed(reasons.map(code))}. ${who} can cause ${these}, and so pass without a scan.`,
      `Remove ${these} from \`allow-unscanned\`.`,
    ),
  ];
}

function pathRows({ name, paths }: Policy, languages: readonly string[]): readonly Row[] {
  return paths.flatMap(([input, patterns]) => {
    const isExempt = input === 'paths-exempt';
    const start = `\`${input}\` of ${code(name)} matches every file`;
    const what = 'Name only files that never run.';
    if (patterns.length === 0) return [];
    if (matchesEverything(patterns)) {
      return [lenient(`${start}: ${isExempt ? 'no finding blocks' : 'no change is scanned'}.`, what)];
    }
    const whole = languages.filter((one) => matchesExtension(patterns, EXTENSIONS.get(one) ?? ''));
    if (whole.length === 0) return [];
    const effect = isExempt ? 'findings in them never block' : 'a change of such files alone is not scanned';
    return [lenient(`${start} of ${listed(whole)}: ${effect}.`, what)];
  });
}

function unknownRow({ name, unknown }: Policy): Row {
  const [are, expressions] = unknown.length === 1 ? ['is', 'an expression'] : ['are', 'expressions'];
  const inputs = listed(unknown.map(code));
  return skipped(CHECK, `Not checked: ${inputs} of ${code(name)} ${are} ${expressions}.`);
}

function blockingRow({ name, failOn }: Policy): Row {
  return ok(
    CHECK,
    `${code(name)} blocks on ${code(failOnText(failOn))}, and allows no reason that an author can cause.`,
  );
}

function lenient(text: string, what: string): Row {
  return { ...warning(CHECK, text, 'Workflow maintainer', what), caveat: 'policy' };
}
