import { describe, expect } from 'vitest';
import type { Permissions } from '../../sandbox/github/access.ts';
import { isObject, objectAt } from '../../sandbox/json.ts';
import {
  cancelJob,
  close,
  failing,
  forbidden,
  hanging,
  lost,
  marks,
  onlyIf,
  push,
  refusing,
  unavailable,
  unsent,
} from './effects.ts';
import { base, outputs, requests, says, summarizes } from './ends.ts';
import { detail, listing, many } from './findings.ts';
import type { OtherJobs } from './other-jobs.ts';
import { MERGE_BASE } from './repository.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const IN_TIME = { driver: 'in process' } as const;
const CLEAN = { ...IN_TIME, head: 'clean' } as const;
const WRITES = 'check.create|check.update|comments.create|comments.update';

describe('the permissions of the GitHub token', () => {
  const ALL: Permissions = { contents: 'read', checks: 'write', 'pull-requests': 'write' };
  const having = (name: string, permissions: Permissions, more: Omit<RunRow, 'name'> = {}) => ({
    name,
    github: { permissions },
    ...more,
  });
  const readOnly = { contents: 'read', checks: 'read', 'pull-requests': 'read' } as const;
  const { contents: _, ...withoutContents } = ALL;
  testRuns(
    [
      having('a run with all permissions logs no warning', ALL, { ends: base(MERGE_BASE) }),
      // A missing permission is permanent, so the run does not send the request again.
      having(
        'without `checks: write`, the log shows the annotations and one warning',
        { ...ALL, checks: 'none' },
        { ends: [requests('check.create', 1), summarizes('checks: write')] },
      ),
      having('without `pull-requests: write`, a run logs one warning and writes no comment', {
        ...ALL,
        'pull-requests': 'read',
      }),
      having('with a read-only token, the log and the job summary show all findings', readOnly, {
        ends: [says('src/pack.js', 'src/agent.js'), summarizes('src/pack.js', 'src/agent.js')],
      }),
      having('with a read-only token, a clean change passes', readOnly, { head: 'clean' }),
      having('without `contents: read`, a run in a private repository launches no scan', withoutContents),
      having('without any permission, a run in a private repository fails', {}),
      having(
        'without `contents: read`, a run can compare the commits of a public repository',
        withoutContents,
        { visibility: 'public' },
      ),
      having(
        'without `contents: read`, a run launches no scan if the workflow sets the base',
        withoutContents,
        {
          inputs: ({ repository }) => ({ 'base-commit': repository.id(MERGE_BASE) }),
        },
      ),
      {
        name: 'git finds the merge base if GitHub cannot compare the commits',
        at: { compare: unavailable },
        ends: [
          says('merge base, from git'),
          async ({ repository, headSha, run }) =>
            expect(run.outputs['base-commit']).toBe(
              await repository.git('merge-base', '--all', 'main', headSha),
            ),
        ],
      },
    ],
    'permissions',
  );
});

/** The log has lines that match these patterns, in this order. */
const logs =
  (...patterns: readonly RegExp[]): End =>
  ({ run }) => {
    const lines = run.log.split('\n');
    const places = patterns.map((pattern) => lines.findIndex((line) => pattern.test(line)));
    expect(places, run.log).not.toContain(-1);
    expect(places, run.log).toEqual(places.toSorted((a, b) => a - b));
  };

describe('an output that fails', () => {
  /** The scan in the marks of all check runs. */
  const marksOneScan: End = (_result, jobs) => expect(new Set(jobs.marked()).size).toBe(1);
  testRuns(
    [
      {
        name: 'the log shows the findings, the verdict, where the report is, and the error at its end',
        ...IN_TIME,
        inputs: { 'report-file': 'report.json', 'sarif-file': 'scan.sarif' },
        ends: logs(
          /^##\[group\]Findings \(3, worst first\)$/,
          /^Critical: /,
          /^High: /,
          /^Medium: /,
          /^Not listed here: 1 finding below medium\. See the list in the job summary\.$/,
          /^Blocked: 2 findings at or above high/,
          /^##\[group\]Where the report is$/,
          /^Check run: http/,
          /^Comment: http/,
          /^SARIF file: .*scan\.sarif$/,
          /^JSON report: .*report\.json$/,
          /^##\[error\]Blocked: 2 findings at or above high/,
        ),
      },
      {
        name: 'the log shows the verdict before it warns of an output that failed',
        ...IN_TIME,
        at: { 'check.update': refusing(401, 'Bad credentials') },
        post: {},
        ends: [
          logs(/^Blocked: 2/, /^##\[warning\]Could not update the check run/, /^##\[error\]Blocked: 2/),
          summarizes('Could not update the check run'),
          outputs(({ environment }) => ({ 'check-run-url': environment.github.checkRuns[0]?.htmlUrl })),
        ],
      },
      {
        // A 502 does not show whether the comment was created. So the run looks for it, and sends the request once more.
        name: 'if all writes to GitHub fail, the log and the job summary show the findings',
        ...IN_TIME,
        at: { [WRITES]: failing },
        ends: [requests('comments.create', 2), summarizes('src/pack.js', 'src/agent.js', 'status 502')],
      },
      ...[refusing(403, 'Resource not accessible by integration'), refusing(422, 'Invalid')].map(
        (answer, index) => ({
          name: `a run that may not update its check run (${index === 0 ? 403 : 422}) creates a completed one`,
          ...IN_TIME,
          at: { 'check.update': answer },
          post: {},
          ends: [
            marksOneScan,
            summarizes('The result is in a second check run.'),
            outputs(({ environment }) => ({ 'check-run-url': environment.github.checkRuns[1]?.htmlUrl })),
          ],
        }),
      ),
      {
        name: 'a run completes its check run if GitHub does not find it at first',
        ...IN_TIME,
        at: { 'check.update 1': refusing(404, 'Not Found') },
      },
      {
        name: 'the post step writes the verdict into the check run if the main step could not',
        ...IN_TIME,
        at: { 'check.update': refusing(500, 'Server Error') },
        post: {},
      },
      {
        name: 'a run creates one check run and one comment even if the answers of GitHub are lost',
        ...IN_TIME,
        at: { 'check.create 1': lost, 'comments.create 1': lost },
      },
      {
        name: 'a run sends each annotation only once even if the answer of GitHub is lost',
        ...IN_TIME,
        at: { 'check.update 1': lost },
      },
      {
        name: 'a run keeps its verdict if GitHub no longer accepts the token',
        ...IN_TIME,
        at: { [`graphql 2-`]: refusing(401, 'Bad credentials'), [WRITES]: refusing(401, 'Bad credentials') },
      },
      {
        name: 'a run cancels its scan at the timeout if GitHub never answers the creation of the check run',
        ...IN_TIME,
        service: { pace: { hold: true } },
        at: { 'check.create': hanging },
      },
      {
        name: 'the log of a pull request with another head says why there is no comment',
        ...IN_TIME,
        at: { 'findings.list 1': push },
        ends: says('Did not write the comment: the pull request has another head now.'),
      },
      {
        name: 'the log says that the next step of an allowed reason is optional',
        ...IN_TIME,
        head: 'documents',
        inputs: { 'paths-unscanned': 'docs/**\n**/*.md' },
      },
    ],
    'delivery',
  );
});

describe('a check run whose creation GitHub did not answer', () => {
  const isCreated = (jobs: OtherJobs) => jobs.sent('check.create').length > 0;
  const completeFirst: Act = ({ scenario }) => {
    const [first] = scenario.environment.github.checkRuns;
    if (first !== undefined) Object.assign(first, { status: 'completed', conclusion: 'cancelled' });
    return undefined;
  };
  /** Ends red, because the pull request has another head too. */
  const gone = { 'scans.read 1': [push, close] };
  const row = (name: string, at: RunRow['at'] = {}, ends: readonly End[] = []): RunRow => ({
    name,
    ...CLEAN,
    at,
    post: {},
    ends,
  });
  testRuns(
    [
      row('a run that knows its check run does not look for it', {}, [requests('check.list', 2)]),
      row('a run completes the check run that it finds by its mark', { 'check.create 1': lost }, [
        requests('check.create', 1),
      ]),
      row('a run finds its check run later, beside one of another job', {
        'check.create 1': lost,
        'check.list 2': [marks('other', { key: { creditBudget: 500 } }), lost],
        'check.list 3-4': lost,
      }),
      row('a run does not complete its check run again if another step has completed it', {
        'check.create 1': lost,
        'check.list 2-4': [completeFirst, lost],
      }),
      row('a run creates the check run again if the request did not arrive', { 'check.create 1': unsent }),
      row('a run that may not list check runs creates another, and leaves the first for `post`', {
        'check.create 1': lost,
        'check.list': onlyIf(isCreated, forbidden),
      }),
      row('a run creates the check run later if GitHub fails at first', { 'check.create 1-2': failing }),
      row('a run that is cancelled during the creation leaves the check run for `post`', {
        'check.create 1': [cancelJob, hanging],
        'check.list': onlyIf(isCreated, hanging),
      }),
      row('a run on a closed pull request creates no second check run if it may not change the first', {
        ...gone,
        'check.update': forbidden,
      }),
      row('a run on a closed pull request creates no second check run if it may not look for the first', {
        ...gone,
        'check.create 1': lost,
        'check.list': onlyIf(isCreated, forbidden),
      }),
    ],
    'check-run-creation',
  );
});

describe('annotations', () => {
  const annotationsIn = (body: unknown) => {
    const annotations = isObject(body) ? objectAt(body, 'output')['annotations'] : undefined;
    return Array.isArray(annotations) ? annotations.length : 0;
  };
  /** The number of annotations in each request that creates or updates the check run. */
  const batches =
    (...counts: readonly number[]): End =>
    ({ run }, jobs) =>
      expect(
        jobs.sent('check.create|check.update').map(({ body }) => annotationsIn(body)),
        run.log,
      ).toEqual(counts);
  /** Each line is annotated once, in the check run or in the log. */
  const annotatesEachOnce: End = ({ environment, run }) => {
    const checked = environment.github.checkRuns.flatMap(({ annotations }) =>
      annotations.map((one) => `${one.annotation_level} ${one.path}:${one.start_line}`),
    );
    const logged = run.annotations.filter(({ file }) => file !== undefined);
    const places = [...checked, ...logged.map(({ level, file, line }) => `${level} ${file}:${line}`)];
    expect(new Set(places).size).toBe(places.length);
  };
  const row = (high: number, medium: number) => ({
    ...IN_TIME,
    at: {
      'findings.list': listing([
        ...many(high, 'HIGH', { filePath: 'src/high.js' }),
        ...many(medium, 'MEDIUM', { filePath: 'src/medium.js' }),
      ]),
      'findings.read': detail(),
    },
    ends: annotatesEachOnce,
  });
  const refuseAnnotations: Act = (_jobs, { body }) =>
    annotationsIn(body) > 0 ? refusing(422, 'Invalid request.') : undefined;
  testRuns(
    [
      {
        name: 'a run annotates 60 findings in two requests, each finding once',
        ...row(45, 15),
        ends: [annotatesEachOnce, batches(0, 50, 10)],
      },
      {
        name: 'the check run annotates the 200 most severe of 220 findings, and the log lists all',
        ...row(190, 30),
        ends: [
          annotatesEachOnce,
          batches(0, 50, 50, 50, 50),
          ({ environment, run }) => {
            const [checkRun] = environment.github.checkRuns;
            expect(checkRun?.output.summary).toContain('Not annotated: the 20 least severe findings.');
            expect(run.log.match(/^(?:High|Medium): Title of .*$/gm)).toHaveLength(220);
          },
        ],
      },
      {
        name: 'the log gets only the annotations that GitHub refuses',
        ...row(4, 56),
        at: { ...row(4, 56).at, 'check.update 1': refuseAnnotations },
        ends: [annotatesEachOnce, says('37 more findings not annotated')],
      },
      {
        // The error with the verdict, and the warning about the missing permission, have no line.
        name: 'without a check run, the log gets ten annotations of each level, and counts the other findings',
        ...row(30, 30),
        github: { permissions: { contents: 'read', 'pull-requests': 'write' } },
        ends: [
          annotatesEachOnce,
          says('42 more findings not annotated'),
          ({ run }) => expect(run.stdout.match(/^::(?:error|warning|notice)\b/gm)).toHaveLength(20),
        ],
      },
      { name: 'with `annotations: off`, a run annotates no lines', inputs: { annotations: 'off' } },
      ...[{}, { annotations: 'off' }].map((inputs, index) => ({
        name: `the check run ${index === 0 ? 'counts' : 'does not count'} the findings without a line: annotations ${index === 0 ? 'auto' : 'off'}`,
        service: { hideFields: { findingItem: ['filePath'], findingDetail: ['filePath'] } },
        inputs,
        ends: (({ environment }) =>
          expect(
            environment.github.checkRuns[0]?.output.summary?.includes(
              'Not annotated, because no line is known: 3 findings.',
            ),
          ).toBe(index === 0)) satisfies End,
      })),
    ],
    'annotations',
  );
});
