import { docsPage } from '../report/tool.ts';
import { listed } from '../text/listed.ts';
import { eventsOf, isNamed, jobOf, pathOf } from '../workflow/check.ts';
import { CHANGE_EVENTS, QUEUE_EVENT } from '../workflow/filters.ts';
import { decidingJobs, type Gate } from './gate.ts';
import { code, error, ok, type Row, skipped, warning } from './row.ts';

const SAME_NAME_CHECK = 'Same name';
const MAINTAINER = 'Workflow maintainer';
/**
 * Events whose runs report on a commit that can be the head of a pull request. Such a run does not scan the change of
 * the pull request.
 */
const OTHER_EVENTS = [
  'push',
  'schedule',
  'create',
  'pull_request_review',
  'pull_request_review_comment',
  'workflow_dispatch',
] as const;

/**
 * Says whether a second job, or a job on one of `OTHER_EVENTS`, reports a check with the name of a required check.
 * GitHub knows a required check only by its name.
 */
export function sameNameRows(gate: Gate): readonly Row[] {
  const names = [...new Set(decidingJobs(gate).flatMap(({ required }) => required))];
  if (names.length === 0) return [];
  const problems = names.flatMap((name) => [...otherEventRows(gate, name), ...secondJobRows(gate, name)]);
  if (problems.length > 0) return problems;
  if (gate.unread.length > 0) {
    const files = listed(gate.unread.map(code));
    return [skipped(SAME_NAME_CHECK, `Not checked: the doctor does not understand the YAML of ${files}.`)];
  }
  return [
    ok(
      SAME_NAME_CHECK,
      `Only the gate on pull requests and merge groups reports ${listed(names.map(code))}.`,
    ),
  ];
}

function otherEventRows({ checks }: Gate, name: string): readonly Row[] {
  return checks
    .filter((check) => isNamed(check, name) === true)
    .flatMap((check) =>
      OTHER_EVENTS.filter((event) => eventsOf(check).has(event)).map((event) => ({ check, event })),
    )
    .map(({ check, event }) => {
      const text = `The job ${code(jobOf(check).id)} (${code(pathOf(check))}) also reports ${code(name)} on \`${event}\`. That result counts for a pull request whose head is the same commit.`;
      const fix = `Run it on \`${event}\` in a workflow of its own, as a job with another name (${docsPage('events')}).`;
      return (event === 'workflow_dispatch' ? warning : error)(SAME_NAME_CHECK, text, MAINTAINER, fix);
    });
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
  return [
    warning(
      SAME_NAME_CHECK,
      text,
      MAINTAINER,
      'Give each job a name of its own, and require each job of the gate.',
    ),
  ];
}
