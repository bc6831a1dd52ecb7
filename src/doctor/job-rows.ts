import { listed } from '../text/visible-text.ts';
import { eventsOf, pathOf } from '../workflow/check.ts';
import {
  CHANGE_EVENTS,
  eventsWithoutEdits,
  filtersThatLeaveOut,
  type Gap,
  gapsOf,
  QUEUE_EVENT,
} from '../workflow/gaps.ts';
import { blocks, decidingJobs, type Gate, type GateJob, isRequired, nameOf } from './gate.ts';
import { code, error, ok, type Row, warning } from './row.ts';
import { isGitHubCom } from './source-rows.ts';

const CHECK = 'Gate job';
const MAINTAINER = 'Workflow maintainer';
const SKIPPED = 'GitHub counts a skipped job as passed.';

/**
 * Rows that say whether the gate's job can pass without a scan, and whether a filter can keep it from starting. None
 * if no workflow uses the gate.
 */
export function gateJobRows(gate: Gate, serverUrl: string): readonly Row[] {
  const unclear = gate.unclear.map((path) => unclearRow(path));
  const jobs = decidingJobs(gate);
  if (jobs.length === 0) return unclear;
  const problems = jobs.flatMap((job) => [
    ...gapRows(gate, job),
    ...filterRows(gate, job, isGitHubCom(serverUrl)),
  ]);
  if (problems.length > 0 || unclear.length > 0) return [...unclear, ...problems];
  const names = listed(jobs.map((job) => code(nameOf(job))));
  return [ok(CHECK, `${names}: no condition skips the job or its step, and a failure counts.`)];
}

function unclearRow(path: string): Row {
  return {
    ...warning(
      CHECK,
      `${code(path)} uses the gate, and the doctor does not understand its YAML.`,
      MAINTAINER,
      'Check that the branch requires the job, and that nothing skips it: no `if`, no `continue-on-error`, and no `needs`. The doctor reads no merge keys and no unknown tags.',
    ),
    caveat: 'skipped',
  };
}

function gapRows(gate: Gate, job: GateJob): readonly Row[] {
  const events = CHANGE_EVENTS.filter((event) => eventsOf(job.check).has(event));
  const gaps = gapsOf(job.check, {
    events: events.length > 0 ? events : [QUEUE_EVENT],
    repository: gate.repository,
    blocks: (place) => blocks(gate, job, place),
  });
  return gaps.map((gap) => gapRow(gap, job));
}

function gapRow(gap: Gap, gateJob: GateJob): Row {
  const path = code(pathOf(gateJob.check));
  const name = code(gap.kind === 'step-condition' ? nameOf(gateJob) : gap.job.id);
  switch (gap.kind) {
    case 'continue-on-error': {
      const what = gap.of === 'job' ? `The job ${name}` : `The step of the gate in the job ${name}`;
      const text = `${what} (${path}) has \`continue-on-error\`, so a failure of the gate does not count.`;
      return error(
        CHECK,
        text,
        MAINTAINER,
        'Remove `continue-on-error`. To report only, use `fail-on: none`.',
      );
    }
    case 'step-condition': {
      const text = `The step of the gate in the job ${name} (${path}) has the condition ${code(gap.condition)}. If it does not hold, the job passes without a scan.`;
      return error(CHECK, text, MAINTAINER, 'Remove the `if` of the step.');
    }
    case 'condition': {
      const condition = `The job ${name} (${path}) has the condition ${code(gap.condition)}`;
      if (gap.surely) {
        const text = `${condition}, which does not hold on pull requests. ${SKIPPED}`;
        return error(CHECK, text, MAINTAINER, 'Remove the `if` of the job.');
      }
      const text = `${condition}. Where it does not hold, the job is skipped. ${SKIPPED}`;
      const fix = 'Remove the `if` of the job, or make sure that it holds for every pull request.';
      return { ...warning(CHECK, text, MAINTAINER, fix), caveat: 'skipped' };
    }
    case 'needs': {
      const needs = listed(gap.needs.map(code));
      const text = `The job ${name} (${path}) needs ${needs}, and is skipped if that fails or is skipped. ${SKIPPED}`;
      const fix = `Add \`if: \${{ !cancelled() }}\` to the job ${name}, or also require ${needs} as a status check that always runs.`;
      return error(CHECK, text, MAINTAINER, fix);
    }
  }
}

const ALL_TYPES = 'Set `types: [opened, synchronize, reopened, edited]`.';

/** @param canStack true if GitHub can have stacked pull requests */
function filterRows({ branch }: Gate, job: GateJob, canStack: boolean): readonly Row[] {
  if (!isRequired(job) || job.byRule) return [];
  const path = code(job.check.chain[0].workflow.path);
  const filters = filtersThatLeaveOut(job.check, branch);
  const withoutStart = filters.filter(({ name }) => name === 'types').map(({ event }) => event);
  const withoutEdits = eventsWithoutEdits(job.check, branch, canStack).filter(
    (event) => !withoutStart.includes(event),
  );
  return [
    ...filters.map(({ event, name }) => {
      const start = `${path} has \`${name}\` under \`${event}\``;
      const pending = 'the workflow does not start, and the required check stays pending.';
      if (name === 'types') {
        const why = `${start}, without \`opened\` or \`synchronize\`. For a new pull request or a new push to it, ${pending}`;
        return warning(CHECK, why, MAINTAINER, ALL_TYPES);
      }
      const which = name.startsWith('paths') ? 'of other files' : `onto ${code(branch)}`;
      const fix = name.startsWith('paths')
        ? `Remove \`${name}\`. To save credits, use the input \`paths-unscanned\`.`
        : `Change \`${name}\` so that the workflow runs for ${code(branch)}.`;
      return warning(CHECK, `${start}. For pull requests ${which}, ${pending}`, MAINTAINER, fix);
    }),
    ...withoutEdits.map((event) => {
      const why = `${path} does not run on \`edited\` under \`${event}\`. If a pull request gets another base branch, the result for the old one still counts.`;
      return warning(CHECK, why, MAINTAINER, ALL_TYPES);
    }),
  ];
}
