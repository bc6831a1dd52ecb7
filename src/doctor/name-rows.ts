import { docsPage } from '../report/links.ts';
import { INPUT_DEFAULTS } from '../runner/input-forms.ts';
import { listed } from '../text/visible-text.ts';
import { type Check, eventsOf, gateChecks, isNamed, jobOf, pathOf } from '../workflow/check.ts';
import { CHANGE_EVENTS, QUEUE_EVENT } from '../workflow/gaps.ts';
import { textOf } from '../workflow/workflow.ts';
import { type Gate, requiredJobNames } from './gate.ts';
import { code, error, ok, type Row, skipped, warning } from './row.ts';

const CHECK = 'Same name';
const MAINTAINER = 'Workflow maintainer';
/**
 * Events whose runs report on a commit that can be the head of a pull request. Such a run does not scan the change of
 * the pull request.
 */
const OTHER_EVENTS: readonly string[] = [
  'push',
  'schedule',
  'create',
  'pull_request_review',
  'pull_request_review_comment',
  'workflow_dispatch',
];
/** Events of the gate, and the event of a called workflow, whose checks the calling job reports. */
const OWN_EVENTS: readonly string[] = [...CHANGE_EVENTS, QUEUE_EVENT, 'workflow_call'];

/** A check run that a step of the gate writes, besides the check of its job. */
interface CheckRun {
  readonly check: Check;
  /** Undefined if the name is an expression. */
  readonly name: string | undefined;
}

/**
 * Says whether anything else reports a check with the name of a required check: a second job, a job on another event,
 * or a check run of the gate. GitHub knows a required check only by its name.
 */
export function sameNameRows(gate: Gate): readonly Row[] {
  const ofJobs = requiredJobNames(gate);
  const runs = checkRunsOf(gate);
  const ofRuns = gate.required
    .map(({ name }) => name)
    .filter((name) => !ofJobs.includes(name) && runs.some((run) => run.name === name));
  const problems = [
    ...ofJobs.flatMap((name) => [...otherEventRows(gate, name), ...secondJobRows(gate, name)]),
    ...ofJobs.flatMap((name) => runs.filter((run) => run.name === name).map((run) => ownRunRow(run, name))),
    ...ofRuns.flatMap((name) =>
      runs.filter((run) => run.name === name).flatMap((run) => otherRunRows(run, name)),
    ),
  ];
  if (ofJobs.length === 0) return problems;
  const unknown = unknownWriters(gate, ofJobs, runs);
  if (unknown.length > 0) return [...problems, skipped(CHECK, `Not checked: ${listed(unknown)}.`)];
  if (problems.length > 0) return problems;
  const list = listed(ofJobs.map(code));
  return [ok(CHECK, `Only the gate on pull requests and merge groups reports ${list}.`)];
}

function checkRunsOf({ checks }: Gate): readonly CheckRun[] {
  return gateChecks(checks).flatMap((check) =>
    check.steps.map(({ inputs }) => {
      const name = textOf(inputs.get('check-name')) ?? INPUT_DEFAULTS['check-name'];
      return { check, name: name.includes('${{') ? undefined : name.trim() };
    }),
  );
}

function otherEventRows({ checks }: Gate, name: string): readonly Row[] {
  return checks
    .filter((check) => isNamed(check, name) === true)
    .flatMap((check) =>
      otherEvents(check).map((event) => otherEventRow(check, event, `reports ${code(name)}`)),
    );
}

/** The check run is required, and a run on another event writes it too. */
function otherRunRows({ check }: CheckRun, name: string): readonly Row[] {
  return otherEvents(check).map((event) => otherEventRow(check, event, `writes the check run ${code(name)}`));
}

function otherEventRow(check: Check, event: string, does: string): Row {
  const text = `${jobIn(check)} also ${does} on \`${event}\`. That result counts for a pull request whose head is the same commit.`;
  const fix = `Run it on \`${event}\` in a workflow of its own, as a job with another name (${docsPage('events')}).`;
  return (event === 'workflow_dispatch' ? warning : error)(CHECK, text, MAINTAINER, fix);
}

function otherEvents(check: Check): readonly string[] {
  return OTHER_EVENTS.filter((event) => eventsOf(check).has(event));
}

/** The job is required, and the check run of a step has its name. */
function ownRunRow({ check }: CheckRun, name: string): Row {
  const text = `The gate in ${jobIn(check, 'the')} writes a check run ${code(name)}, which satisfies the requirement as the job does.`;
  return error(CHECK, text, MAINTAINER, 'Set `check-name` to another name, and require the job.');
}

function secondJobRows({ checks }: Gate, name: string): readonly Row[] {
  const same = checks.filter((check) => isNamed(check, name) === true);
  // A job for pull requests does not conflict with a job for the merge queue.
  const rivals = [CHANGE_EVENTS, [QUEUE_EVENT]]
    .map((events) => same.filter((check) => events.some((event) => eventsOf(check).has(event))))
    .find(({ length }) => length > 1);
  if (rivals === undefined) return [];
  const places = listed(rivals.map((check) => `${code(jobOf(check).id)} (${code(pathOf(check))})`));
  const text = `Several jobs report ${code(name)} on the same events: ${places}. Any of these jobs can satisfy the required check.`;
  const fix = 'Give each job a name of its own, and require each job of the gate.';
  return [warning(CHECK, text, MAINTAINER, fix)];
}

/** What the doctor does not know, as clauses of a sentence. */
function unknownWriters(gate: Gate, names: readonly string[], runs: readonly CheckRun[]): readonly string[] {
  const isAny = (check: Check, truth: boolean | undefined) =>
    names.some((name) => isNamed(check, name) === truth);
  return [
    ...gate.unread.map((path) => `the doctor does not understand the YAML of ${code(path)}`),
    ...(gate.hasAllFiles ? [] : ['the repository has more workflow files than the doctor reads']),
    ...gate.checks
      .filter((check) => isAny(check, undefined))
      .map((check) => `the files do not show the names of ${jobIn(check, 'the')}`),
    ...runs
      .filter(({ name }) => name === undefined)
      .map(({ check }) => `\`check-name\` in ${jobIn(check, 'the')} is an expression`),
    ...gate.checks
      .filter((check) => isAny(check, true))
      .flatMap((check) =>
        [...eventsOf(check).keys()]
          .filter((event) => ![...OWN_EVENTS, ...OTHER_EVENTS].includes(event))
          .map((event) => `${jobIn(check, 'the')} also runs on ${code(event)}`),
      ),
  ];
}

function jobIn(check: Check, article: 'The' | 'the' = 'The'): string {
  return `${article} job ${code(jobOf(check).id)} (${code(pathOf(check))})`;
}
