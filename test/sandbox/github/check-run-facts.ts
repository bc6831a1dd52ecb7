import type { Fact } from './facts.ts';

const CREATE = 'rest/checks/runs#create-a-check-run';
const UPDATE = 'rest/checks/runs#update-a-check-run';
const ANNOTATION = { path: 'a.txt', start_line: 1, end_line: 1, annotation_level: 'warning', message: 'm' };
const OUTPUT = { title: 'T', summary: 'S' };
const STARTED = [
  'POST check-runs',
  {
    name: 'Security scan',
    head_sha: '{t3}',
    status: 'in_progress',
    external_id: 'v1:x',
    output: { ...OUTPUT, text: 'details' },
  },
] as const;

const update = (body: unknown) => ['PATCH check-runs/1001', body] as const;
const annotated = (...wrong: readonly object[]) =>
  update({ output: { ...OUTPUT, annotations: wrong.map((one) => ({ ...ANNOTATION, ...one })) } });
const some = (count: number) => Array.from({ length: count }, () => ({}));
const created = (wrong: object) => ['POST check-runs', { name: 'n', head_sha: '{t3}', ...wrong }] as const;
const COUNT = { page: UPDATE, show: 'output.annotations_count' };

export const CHECK_RUN_FACTS: readonly Fact[] = [
  {
    name: 'a new check run has the values of the request',
    page: CREATE,
    steps: [STARTED, 'GET check-runs/1001', 'GET check-runs/1', ['PATCH check-runs/1', {}]],
    show: 'id head_sha name status conclusion external_id html_url app.slug',
  },
  {
    name: 'a conclusion completes a check run',
    page: UPDATE,
    steps: [STARTED, update({ conclusion: 'failure' })],
    show: 'status conclusion completed_at output.title',
  },
  {
    name: 'new annotations are added, but title, summary and text are replaced',
    page: UPDATE,
    steps: [
      STARTED,
      annotated({}),
      update({ output: { title: 'T2', summary: 'S2', annotations: [ANNOTATION] } }),
    ],
    show: 'output.title output.summary output.text output.annotations_count',
  },
  {
    name: 'a request has at most 50 annotations',
    ...COUNT,
    steps: [STARTED, annotated(...some(50)), annotated(...some(51)), 'GET check-runs/1001'],
  },
  {
    name: 'an annotation must name lines of a file in the repository',
    ...COUNT,
    steps: [
      STARTED,
      annotated({ path: '/a.txt' }),
      annotated({ path: 'a/../../b' }),
      annotated({ path: '' }),
      annotated({ start_line: 0 }),
      annotated({ start_line: 3, end_line: 2 }),
      annotated({ end_line: 2, start_column: 1 }),
      annotated({ end_line: 2, end_column: 1 }),
      annotated({ path: 'a..b/..c', end_line: 2 }),
    ],
  },
  {
    name: 'the texts of an annotation have limits',
    ...COUNT,
    steps: [
      STARTED,
      annotated({ title: 'x'.repeat(256) }),
      annotated({ message: 'ä'.repeat(32 * 1024 + 1) }),
      annotated({ message: '' }),
      annotated({ raw_details: 'x'.repeat(64 * 1024 + 1) }),
      annotated({
        title: 'x'.repeat(255),
        message: 'ä'.repeat(32 * 1024),
        raw_details: 'x'.repeat(64 * 1024),
      }),
    ],
  },
  {
    name: 'an annotation must match the schema',
    ...COUNT,
    steps: [
      STARTED,
      annotated({ annotation_level: 'error' }),
      annotated({ start_line: '1' }),
      annotated({ message: undefined }),
      annotated({ path: undefined, annotation_level: undefined }),
    ],
  },
  {
    name: 'a summary has at most 65,535 bytes',
    page: UPDATE,
    steps: [
      STARTED,
      update({ output: { title: 'T', summary: 'x'.repeat(65_535) } }),
      update({ output: { title: 'T', summary: 'x'.repeat(65_536) } }),
      update({ output: { title: 'T', summary: 'ä'.repeat(40_000) } }),
    ],
  },
  {
    name: 'a long text is cut between two characters',
    page: UPDATE,
    steps: [STARTED, update({ output: { ...OUTPUT, text: 'ä'.repeat(40_000) } })],
    show: 'output.text',
  },
  {
    name: 'a check run needs a name, an existing commit, a title and a summary',
    page: CREATE,
    steps: [
      created({ name: undefined }),
      created({ name: '' }),
      created({ conclusion: 'stale' }),
      created({ status: 'completed' }),
      created({ output: { summary: 'S' } }),
      created({ output: { title: 'T' } }),
      created({ head_sha: '1'.repeat(40) }),
      'GET commits/{t3}/check-runs',
    ],
    show: 'total_count',
  },
  {
    name: 'a list has the latest check run of each name, or all check runs',
    page: 'rest/checks/runs#list-check-runs-for-a-git-reference',
    steps: [
      STARTED,
      created({ name: 'Security scan', external_id: 'second' }),
      created({ name: 'other' }),
      'GET commits/{t3}/check-runs',
      'GET commits/{t3}/check-runs?filter=all&check_name=Security%20scan',
      'GET commits/{t3}/check-runs?status=in_progress&per_page=1&filter=all',
      'GET commits/topic/check-runs?per_page=1',
      'GET commits/main/check-runs',
      'GET commits/gone/check-runs',
    ],
    show: 'total_count check_runs.*.external_id',
  },
];
