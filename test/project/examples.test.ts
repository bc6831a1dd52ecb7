import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { read } from './code.ts';
import { localLinksOf, sectionUnder } from './documents.ts';
import { EXAMPLES, evaluate, eventsOf, readExample } from './examples.ts';

const BRANCH_EVENTS = ['push', 'schedule', 'workflow_dispatch'];
const isForBranch = (file: string) =>
  eventsOf(readExample(file)).every((name) => BRANCH_EVENTS.includes(name));
const stepsOf = (file: string) => Object.values(readExample(file).jobs).flatMap(({ steps }) => steps);
const usesGate = (file: string) => stepsOf(file).some(({ uses }) => uses === 'scangate/scangate@v0');

/** The activity types without which a green check can stand for a change that was not scanned. */
const TYPES = ['opened', 'synchronize', 'reopened', 'edited'];

/** The events about pull requests for which a workflow does not name all of `TYPES`. */
function typesMissing(workflow: string): readonly string[] {
  const events = [...workflow.matchAll(/^ {2}(pull_request(?:_target)?):.*\n((?: {4}.*\n?)*)/gm)];
  return events.flatMap(([, name = '', options = '']) => {
    const [, types = ''] = /^ {4}types: \[(.*)\]/m.exec(options) ?? [];
    return TYPES.every((type) => types.split(', ').includes(type)) ? [] : [name];
  });
}

describe.each(EXAMPLES)('%s', (file) => {
  test(`the example ${file} grants permissions only to jobs, and skips no required job on a pull request`, () => {
    expect(readExample(file).name).toMatch(/^Scangate/);
  });

  test(`the example ${file} pins each action, checks out no code, and uses no variables`, () => {
    for (const { uses, run } of stepsOf(file)) {
      if (uses !== undefined)
        expect(uses).toMatch(/^(?:scangate\/scangate(?:\/\w+)?@v0|[\w./-]+@[0-9a-f]{40})$/);
      expect(uses ?? '').not.toContain('actions/checkout');
      expect(run ?? '').not.toContain('${{');
    }
    expect(read(file)).not.toContain('vars.');
  });

  test(`the example ${file} cancels no run, or only older runs of the same pull request`, () => {
    const { concurrency } = readExample(file);
    // GitHub does not let a required workflow, as in `organization.yml`, cancel its runs. The job in `triage.yml` has
    // a group.
    if (isForBranch(file) || /\/(?:organization|triage(?:-recheck)?)\.yml$/.test(file))
      expect(concurrency).toBeUndefined();
    else {
      const github = { run_attempt: 1, ref: 'refs/heads/a', event: { pull_request: { number: 7 } } };
      expect(evaluate(concurrency?.group ?? '', { github })).toBe('scangate-7');
      const cancels = (run_attempt: number, event: object) =>
        evaluate(concurrency?.['cancel-in-progress'] ?? '', { github: { ...github, run_attempt, event } });
      const newBase = { action: 'edited', changes: { base: {} } };
      expect([cancels(1, { action: 'synchronize', changes: {} }), cancels(1, newBase)]).toEqual([
        'true',
        'true',
      ]);
      // A new title and a re-run do not cancel the run in progress.
      expect(cancels(1, { action: 'edited', changes: { title: {} } })).toBe('false');
      expect([cancels(2, { action: 'synchronize', changes: {} }), cancels(2, newBase)]).toEqual([
        'false',
        'false',
      ]);
    }
  });

  test(`the example ${file} also starts when the base branch of a pull request changes`, () => {
    expect(typesMissing(read(file))).toEqual([]);
  });

  test(`the example ${file} is in the table of docs/examples/README.md`, () => {
    expect(localLinksOf('docs/examples/README.md').map((link) => link.file)).toContain(file);
  });
});

describe('the examples', () => {
  test('there are at least ten examples', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(10);
  });

  test('the examples for a branch share no job name with the examples for pull requests', () => {
    const jobsOf = (files: readonly string[]) => files.flatMap((file) => Object.keys(readExample(file).jobs));
    const ofBranches = EXAMPLES.filter(isForBranch);
    const required = new Set(jobsOf(EXAMPLES.filter((file) => !isForBranch(file))));
    expect(jobsOf(ofBranches).filter((name) => required.has(name))).toEqual([]);
    for (const file of ofBranches.filter(usesGate)) {
      expect(stepsOf(file)[0]?.with['fail-on'], file).toBe('none');
    }
  });

  test('the example of the quick start has the workflow of the README, word for word', () => {
    const [, block = ''] =
      /^```yaml\n([\s\S]*?)^```/m.exec(sectionUnder(read('README.md'), 'Quick start')) ?? [];
    expect(read('docs/examples/quick-start.yml').split('\n').slice(2).join('\n')).toBe(block);
  });

  test('the examples grant `pull-requests: write` exactly to the jobs that write a comment', () => {
    for (const file of EXAMPLES) {
      for (const [name, { permissions, steps }] of Object.entries(readExample(file).jobs)) {
        const isSweep = steps[0]?.uses?.startsWith('scangate/scangate/triage@') === true;
        const comments = isSweep || (!isForBranch(file) && steps[0]?.with['comment'] !== 'never');
        expect(permissions['pull-requests'] === 'write', `${file}: ${name}`).toBe(comments);
      }
    }
  });
});

test('the example of an event policy allows exactly the events of forks.yml, and targets its file', () => {
  const { conditions, rules } = v.parse(
    v.object({
      conditions: v.object({ workflow_path: v.object({ include: v.array(v.string()) }) }),
      rules: v.tuple([v.object({ parameters: v.object({ allowed_events: v.array(v.string()) }) })]),
    }),
    JSON.parse(read('docs/examples/event-policy.json')),
  );
  const forks = 'docs/examples/forks.yml';
  expect(rules[0].parameters.allowed_events).toEqual(eventsOf(readExample(forks)));
  expect(read(forks)).toContain(`\n# ${conditions.workflow_path.include.join()}\n`);
});
