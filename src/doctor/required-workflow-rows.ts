import { mayBeTrue } from '../workflow/condition.ts';
import { membersOf, textOf } from '../workflow/workflow.ts';
import type { Yaml } from '../workflow/yaml.ts';
import type { Gate } from './gate.ts';
import { code, error, type Row } from './row.ts';

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
