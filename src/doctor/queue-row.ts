import { docsPage } from '../report/tool.ts';
import { listed } from '../text/listed.ts';
import { eventsOf } from '../workflow/check.ts';
import { filtersThatLeaveOut, QUEUE_EVENT } from '../workflow/filters.ts';
import type { GitHubFacts } from './facts.ts';
import { type Gate, isRequired, nameOf } from './gate.ts';
import { unreadExtra } from './github-rows.ts';
import { code, error, ok, type Row, skipped, warning } from './row.ts';

const QUEUE_CHECK = 'Merge queue';
const MAINTAINER = 'Workflow maintainer';
const HIDDEN =
  'No ruleset has one. Not checked: this token may not read whether classic branch protection has one.';

/** Checks that the merge queue starts every required job of the gate. */
export function queueRow({ branch, jobs }: Gate, { queue }: GitHubFacts): Row {
  if (queue === undefined) return skipped(QUEUE_CHECK, 'Not checked: the rules were not read.');
  if (!queue.ok && queue.error.kind === 'forbidden') return skipped(QUEUE_CHECK, HIDDEN);
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
