import { describe, expect, test } from 'vitest';
import { at, setup } from './fixture.ts';

const RUNS = '/repos/octo-org/demo/check-runs';
const annotation = { path: 'a.txt', start_line: 1, end_line: 1, annotation_level: 'warning', message: 'm' };
const output = { title: 'T', summary: 'S' };

async function started() {
  const state = await setup();
  const head_sha = state.repo.id('t3');
  const created = await state.call('POST', RUNS, {
    name: 'Security scan',
    head_sha,
    status: 'in_progress',
    external_id: 'v1:x',
    output: { ...output, text: 'details' },
  });
  const patch = (body: unknown) => state.call('PATCH', `${RUNS}/${at(created.body, 'id')}`, body);
  return { ...state, head_sha, created, patch };
}

describe('a check run', () => {
  test('GitHub creates a check run with the values of the request', async () => {
    const { github, head_sha, created } = await started();
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      head_sha,
      name: 'Security scan',
      status: 'in_progress',
      conclusion: null,
      external_id: 'v1:x',
      html_url: `${github.serverUrl}/Octo-Org/demo/runs/${at(created.body, 'id')}`,
      app: { slug: 'github-actions' },
    });
  });

  test('GitHub shows a check run by its id, with the number of its annotations', async () => {
    const { patch, call, created } = await started();
    await patch({ output: { ...output, annotations: [annotation, annotation] } });
    const answer = await call('GET', `${RUNS}/${at(created.body, 'id')}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'in_progress', output: { annotations_count: 2 } });
    expect((await call('GET', `${RUNS}/1`)).status).toBe(404);
  });

  test('a request with a conclusion completes the check run', async () => {
    const { patch, github } = await started();
    const answer = await patch({ conclusion: 'failure' });
    expect(answer.body).toMatchObject({ status: 'completed', conclusion: 'failure' });
    expect(at(answer.body, 'completed_at')).toMatch(/^\d{4}-/);
    expect(github.checkRuns[0]?.conclusion).toBe('failure');
  });

  test('GitHub adds new annotations to a check run, but replaces its title, summary and text', async () => {
    const { patch, github } = await started();
    await patch({ output: { ...output, annotations: [annotation] } });
    const answer = await patch({
      output: { title: 'T2', summary: 'S2', annotations: [annotation, annotation] },
    });
    expect(at(answer.body, 'output')).toMatchObject({
      title: 'T2',
      summary: 'S2',
      text: null,
      annotations_count: 3,
    });
    expect(github.checkRuns[0]?.annotations).toHaveLength(3);
    expect(github.checkRuns[0]?.history).toHaveLength(3);
  });

  test('GitHub refuses a request with more than 50 annotations', async () => {
    const { patch, github } = await started();
    const some = (count: number) => Array.from({ length: count }, () => annotation);
    const refused = await patch({ conclusion: 'success', output: { ...output, annotations: some(51) } });
    expect([refused.status, at(refused.body, 'message')]).toEqual([
      422,
      'Invalid request.\n\nNo more than 50 items are allowed; 51 were supplied.',
    ]);
    expect(github.checkRuns[0]).toMatchObject({ status: 'in_progress', annotations: [] });
    expect((await patch({ output: { ...output, annotations: some(50) } })).status).toBe(200);
  });

  test.each([
    ['an absolute path', { path: '/a.txt' }],
    ['a path that leaves the repository', { path: 'a/../../b' }],
    ['an empty path', { path: '' }],
    ['line 0', { start_line: 0 }],
    ['an end before the start', { start_line: 3, end_line: 2 }],
    ['columns over several lines', { end_line: 2, start_column: 1 }],
    ['a title of 256 characters', { title: 'x'.repeat(256) }],
    ['a message over 64 KB', { message: 'ä'.repeat(32 * 1024 + 1) }],
    ['an empty message', { message: '' }],
    ['raw details over 64 KB', { raw_details: 'x'.repeat(64 * 1024 + 1) }],
  ])('GitHub refuses an annotation with %s', async (_, wrong) => {
    const { patch } = await started();
    const answer = await patch({ output: { ...output, annotations: [{ ...annotation, ...wrong }] } });
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'errors')).toEqual([
      { resource: 'CheckRun', code: 'invalid', field: 'annotations' },
    ]);
  });

  test('GitHub accepts an annotation whose title, message and details have the maximum length', async () => {
    const { patch } = await started();
    const text = 'x'.repeat(64 * 1024);
    const largest = {
      ...annotation,
      title: 'x'.repeat(255),
      message: text,
      raw_details: text,
      path: 'a..b/..c',
    };
    expect((await patch({ output: { ...output, annotations: [largest] } })).status).toBe(200);
  });

  test.each([
    ['an unknown level', { annotation_level: 'error' }, '"error" is not a member of'],
    ['a line that is not a number', { start_line: '1' }, 'is not an integer'],
    ['no message', { message: undefined }, `"message" wasn't supplied.`],
    [
      'no path and no level',
      { path: undefined, annotation_level: undefined },
      `"path", "annotation_level" weren't supplied.`,
    ],
  ])('GitHub refuses an annotation with %s', async (_, wrong, complaint) => {
    const { patch } = await started();
    const answer = await patch({ output: { ...output, annotations: [{ ...annotation, ...wrong }] } });
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'message')).toContain(complaint);
  });

  test('GitHub refuses a check run with a summary of more than 65,535 bytes', async () => {
    const { patch } = await started();
    expect((await patch({ output: { title: 'T', summary: 'x'.repeat(65_535) } })).status).toBe(200);
    const characters = await patch({ output: { title: 'T', summary: 'x'.repeat(65_536) } });
    expect(at(characters.body, 'message')).toContain(
      'Only 65535 characters are allowed; 65536 were supplied.',
    );
    const bytes = await patch({ output: { title: 'T', summary: 'ä'.repeat(40_000) } });
    expect([bytes.status, at(bytes.body, 'errors.0.message')]).toEqual([
      422,
      'summary exceeds a maximum bytesize of 65535',
    ]);
  });

  test('GitHub cuts a long text of a check run without splitting a character', async () => {
    const { patch, github } = await started();
    expect((await patch({ output: { ...output, text: 'ä'.repeat(40_000) } })).status).toBe(200);
    expect(github.checkRuns[0]?.output.text).toBe('ä'.repeat(32_767));
  });

  test.each([
    ['no name', { name: undefined }, `"name" wasn't supplied.`],
    ['an unknown conclusion', { conclusion: 'stale' }, '"stale" is not a member of'],
    ['the status completed and no conclusion', { status: 'completed' }, `"conclusion" wasn't supplied.`],
    ['an output without a title', { output: { summary: 'S' } }, `"title" wasn't supplied.`],
    ['an output without a summary', { output: { title: 'T' } }, `"summary" wasn't supplied.`],
    ['an unknown commit', { head_sha: '1'.repeat(40) }, 'No commit found for SHA'],
  ])('GitHub refuses to create a check run with %s', async (_, wrong, message) => {
    const { call, head_sha, github } = await started();
    const answer = await call('POST', RUNS, { name: 'n', head_sha, ...wrong });
    expect(answer.status).toBe(422);
    expect(at(answer.body, 'message')).toContain(message);
    expect(github.checkRuns).toHaveLength(1);
  });

  test('an update of a check run that does not exist gets 404', async () => {
    const { call } = await started();
    expect((await call('PATCH', `${RUNS}/1`, {})).status).toBe(404);
  });

  test('GitHub lists the latest check run of each name, or all check runs with `filter=all`', async () => {
    const { call, head_sha } = await started();
    await call('POST', RUNS, { name: 'Security scan', head_sha, external_id: 'second' });
    await call('POST', RUNS, { name: 'other', head_sha });
    const list = (query: string) =>
      call('GET', `/repos/octo-org/demo/commits/${head_sha}/check-runs${query}`);
    const ids = (answer: { body: unknown }) => at(answer.body, 'check_runs.*.external_id');
    expect(ids(await list(''))).toEqual(['', 'second']);
    expect(ids(await list('?filter=all&check_name=Security%20scan'))).toEqual(['second', 'v1:x']);
    expect((await list('?per_page=1')).headers.get('link')).toContain('rel="next"');
    expect(at((await call('GET', `/repos/octo-org/demo/commits/main/check-runs`)).body, 'total_count')).toBe(
      0,
    );
  });
});
