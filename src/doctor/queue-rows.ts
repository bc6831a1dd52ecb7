import { lacksPermission } from '../github/errors.ts';
import { docsPage } from '../report/links.ts';
import { listed } from '../text/visible-text.ts';
import { eventsOf } from '../workflow/check.ts';
import { holds, mayBeTrue } from '../workflow/condition.ts';
import { filtersThatLeaveOut, QUEUE_EVENT } from '../workflow/gaps.ts';
import { membersOf, textOf } from '../workflow/workflow.ts';
import type { Yaml } from '../workflow/yaml.ts';
import type { GitHubFacts } from './facts.ts';
import { type Gate, isRequired, nameOf } from './gate.ts';
import { unreadExtra } from './github-rows.ts';
import { code, error, ok, type Row, skipped, warning } from './row.ts';

const MAINTAINER = 'Workflow maintainer';
/** Matches a value that differs between merge groups. */
const PER_GROUP = /\bgithub\.(?:ref|ref_name|sha|run_id|run_number|event\.merge_group\.head_\w+)\b/i;

/**
 * Makes an error row for each required workflow that can cancel its runs. A cancelled run leaves the requirement unmet.
 */
export function requiredWorkflowRows({ jobs }: Gate): readonly Row[] {
  const cancelling = jobs
    .filter(({ byRule }) => byRule)
    .flatMap(({ check }) => check.chain)
    .filter(({ workflow, job }) => [workflow.concurrency, job.concurrency].some(cancels));
  return [...new Set(cancelling.map(({ workflow }) => workflow.path))].map((path) =>
    error(
      'Required workflow',
      `A ruleset requires ${code(path)}, which has \`cancel-in-progress\`. A run that is cancelled leaves the requirement unmet.`,
      'Workflow maintainer',
      'Remove `cancel-in-progress` from the workflow. Scangate itself cancels the scans of older heads.',
    ),
  );
}

function cancels(concurrency: Yaml | undefined): boolean {
  return mayBeTrue(textOf(membersOf(concurrency ?? '').get('cancel-in-progress')));
}

const QUEUE_CHECK = 'Merge queue';
const HIDDEN =
  'No ruleset has one. Not checked: this token may not read whether classic branch protection has one.';

/** Checks that the merge queue starts every required job of the gate, and that its runs do not cancel each other. */
export function queueRows(gate: Gate, github: GitHubFacts): readonly Row[] {
  const row = startRow(gate, github);
  const hasQueue = github.queue?.ok === true && github.queue.value !== 'none';
  const problems = hasQueue ? cancelledRows(gate) : [];
  return row.level === 'ok' && problems.length > 0 ? problems : [row, ...problems];
}

function startRow({ branch, jobs }: Gate, { queue }: GitHubFacts): Row {
  if (queue === undefined) return skipped(QUEUE_CHECK, 'Not checked: the rules were not read.');
  if (!queue.ok && lacksPermission(queue.error)) return skipped(QUEUE_CHECK, HIDDEN);
  if (!queue.ok) return unreadExtra(QUEUE_CHECK, queue.error);
  if (queue.value === 'none') return ok(QUEUE_CHECK, `${code(branch)} has no merge queue.`);
  const what = `Add \`merge_group:\` to the events of the workflow, as ${docsPage('merge-queue')} shows.`;
  const queued = new Set(
    jobs
      .filter(({ check }) => eventsOf(check).has(QUEUE_EVENT))
      .filter((job) => job.byRule || filtersThatLeaveOut(job.check, branch, [QUEUE_EVENT]).length === 0)
      .flatMap(namesOf),
  );
  const waiting = jobs
    .filter(isRequired)
    .flatMap(namesOf)
    .filter((name) => !queued.has(name));
  if (waiting.length > 0) {
    const names = listed([...new Set(waiting)].map(code));
    const text = `${code(branch)} has a merge queue and requires ${names}, which does not run on \`merge_group\` of this branch: the queue waits for it until its timeout.`;
    return error(QUEUE_CHECK, text, MAINTAINER, what);
  }
  if (queued.size > 0) return ok(QUEUE_CHECK, 'The workflow of the gate runs on `merge_group`.');
  const text = `${code(branch)} has a merge queue, and no workflow of the gate runs on \`merge_group\`: the queue merges without it.`;
  return warning(QUEUE_CHECK, text, MAINTAINER, what);
}

function namesOf(job: Gate['jobs'][number]): readonly string[] {
  return job.required.length > 0 ? job.required : [nameOf(job)];
}

/** Warns about a concurrency group that is the same for all merge groups. Each new run cancels the one before it. */
function cancelledRows({ jobs, repository }: Gate): readonly Row[] {
  const cancelling = jobs
    .filter(({ check }) => eventsOf(check).has(QUEUE_EVENT))
    .flatMap(({ check }) => check.chain)
    .filter(({ workflow, job }) =>
      [workflow.concurrency, job.concurrency].some((one) => cancelsOthers(one, repository)),
    );
  return [...new Set(cancelling.map(({ workflow }) => workflow.path))].map((path) =>
    warning(
      QUEUE_CHECK,
      `In ${code(path)}, all runs on \`merge_group\` have the same concurrency group, and \`cancel-in-progress\`. Each new merge group cancels the run of the one before it.`,
      MAINTAINER,
      `Add \`\${{ github.ref }}\` to the group.`,
    ),
  );
}

function cancelsOthers(concurrency: Yaml | undefined, repository: string): boolean {
  const members = membersOf(concurrency ?? '');
  const cancel = textOf(members.get('cancel-in-progress'));
  if (cancel === undefined || PER_GROUP.test(textOf(members.get('group')) ?? '')) return false;
  return holds(cancel, { event: QUEUE_EVENT, repository, succeeded: true }) !== false;
}
