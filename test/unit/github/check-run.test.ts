import { afterEach, describe, expect, test } from 'vitest';
import type { CheckAnnotation } from '../../../src/domain/check-output.ts';
import {
  type CompletedIdentity,
  completeCheckRun,
  createCheckRun,
  listCheckRuns,
  markCheckRun,
  outputOnTheWire,
} from '../../../src/github/check-run.ts';
import { PAUSE_AFTER_LOSS_MS } from '../../../src/github/errors.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, expectNoAnswerLeft, github, SHA } from './client.ts';
import { NEXT } from './readers/row.ts';

afterEach(expectNoAnswerLeft);

const NAME = 'Security scan';
const PATH = `/repos/acme/shop/commits/${SHA.head}/check-runs`;
const listed = (page: number) =>
  github().get(PATH).query({ check_name: NAME, filter: 'all', per_page: 100, page });
const run = (id: number) => ({ id, name: NAME, head_sha: SHA.head });
const list = () => listCheckRuns(client(), SHA.head, NAME, NEVER_ABORTED);
const idsOf = async (answer: ReturnType<typeof list>) => {
  const runs = await answer;
  return runs.ok ? runs.value.map(({ id }) => id) : runs.error;
};

test('listCheckRuns returns each check run of all pages once, the newest first', async () => {
  listed(1).reply(200, { check_runs: [run(9), run(3)] }, NEXT);
  listed(2).reply(200, { check_runs: [run(3), run(7)] }, NEXT);
  listed(3).reply(200, { check_runs: [run(8)] });
  expect(await idsOf(list())).toEqual([9, 8, 7, 3]);
});

test('listCheckRuns reads at most fifty pages, and returns an error if there are more', async () => {
  for (let page = 1; page <= 50; page += 1)
    listed(page).reply(200, { check_runs: [run(page)] }, page < 50 ? NEXT : {});
  expect(await idsOf(list())).toHaveLength(50);
  for (let page = 1; page <= 50; page += 1) listed(page).reply(200, { check_runs: [run(page)] }, NEXT);
  expect(await list()).toEqual({
    ok: false,
    error: {
      kind: 'invalid',
      operation: 'list the check runs',
      permission: 'checks: write',
      status: 200,
      message: 'more than 5000 check runs',
      ambiguous: false,
    },
  });
});

const IDENTITY = { name: 'Security scan', headSha: SHA.head, externalId: 'v1:scan:key:mac' };
const OUTPUT = { title: 'Two findings', summary: '# Two', text: 'details' };
const RUNS = '/repos/acme/shop/check-runs';
const RUN = `${RUNS}/77`;
const LIST = `/repos/acme/shop/commits/${SHA.head}/check-runs?check_name=Security%20scan&filter=all&per_page=100&page=1`;
const ANSWER = { id: 77, html_url: 'https://github.com/acme/shop/runs/77' };
const REFUSED = { message: 'Resource not accessible by integration' };

afterEach(expectNoAnswerLeft);

function annotations(count: number): CheckAnnotation[] {
  return Array.from({ length: count }, (_, index) => ({
    path: 'src/a.ts',
    startLine: index + 1,
    endLine: index + 1,
    level: 'warning',
    title: `finding ${index + 1}`,
    message: 'why',
    rawDetails: undefined,
  }));
}

function complete(count: number, checkRunId: number | undefined = 77, clock = new FakeClock()) {
  const result = { conclusion: 'failure', output: OUTPUT, annotations: annotations(count) } as const;
  return completeCheckRun(client({ clock }), checkRunId, IDENTITY, result, NEVER_ABORTED, true);
}

type Body = Record<string, unknown> & {
  output: Record<string, unknown> & { annotations?: { title: string }[] };
};

/** Accepts any request body, and adds it to `bodies`. */
function keep(bodies: Body[]) {
  return (body: Body) => bodies.push(body) > 0;
}

describe('createCheckRun', () => {
  test('createCheckRun creates a check run in progress, with an external id and a hidden stamp', async () => {
    const bodies: Body[] = [];
    github().post(RUNS, keep(bodies)).reply(201, ANSWER);
    const answer = await createCheckRun(client(), IDENTITY, OUTPUT, NEVER_ABORTED);
    expect(answer).toEqual({ ok: true, value: { id: 77, url: ANSWER.html_url } });
    expect(bodies).toEqual([
      {
        name: 'Security scan',
        head_sha: SHA.head,
        external_id: 'v1:scan:key:mac',
        status: 'in_progress',
        output: { ...OUTPUT, summary: expect.stringMatching(/^<!-- [0-9a-f-]{36} -->\n# Two$/) },
      },
    ]);
  });

  test('createCheckRun names the missing permission', async () => {
    github().post(RUNS).reply(403, REFUSED);
    expect(await createCheckRun(client(), IDENTITY, OUTPUT, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'forbidden', permission: 'checks: write' },
    });
  });

  test('after a lost answer, createCheckRun adopts only its own check run', async () => {
    const bodies: Body[] = [];
    const shared = { external_id: 'v1:scan:key:mac', status: 'in_progress' };
    github().post(RUNS, keep(bodies)).reply(502);
    github()
      .get(LIST)
      .reply(200, () => ({
        check_runs: [
          { id: 75, external_id: '', status: 'in_progress' },
          { id: 76, ...shared, output: { summary: '<!-- another step -->\n# Two' } },
          { ...ANSWER, ...shared, output: { summary: bodies[0]?.output['summary'] } },
          { id: 78, ...shared, output: null },
        ].map((run) => ({ name: 'Security scan', head_sha: SHA.head, ...run })),
      }));
    expect(await createCheckRun(client(), IDENTITY, OUTPUT, NEVER_ABORTED)).toMatchObject({
      value: { id: 77 },
    });
  });

  test('after lost answers, createCheckRun sends the request at most twice', async () => {
    const clock = new FakeClock();
    github().post(RUNS).twice().reply(502).get(LIST).reply(200, { check_runs: [] });
    expect(await createCheckRun(client({ clock }), IDENTITY, OUTPUT, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'unreachable' },
    });
    expect(clock.sleeps).toEqual([PAUSE_AFTER_LOSS_MS]);
  });

  test('createCheckRun leaves out an invalid link', async () => {
    github().post(RUNS).reply(201, { id: 77, html_url: 'javascript:alert(1)' });
    expect(await createCheckRun(client(), IDENTITY, OUTPUT, NEVER_ABORTED)).toMatchObject({
      value: { url: undefined },
    });
  });
});

describe('markCheckRun', () => {
  test('markCheckRun writes only the mark', async () => {
    const bodies: Body[] = [];
    github().patch(RUN, keep(bodies)).reply(200, ANSWER);
    expect(await markCheckRun(client(), 77, { externalId: 'v2:other' }, NEVER_ABORTED)).toEqual({
      ok: true,
      value: { id: 77, url: ANSWER.html_url },
    });
    expect(bodies).toEqual([{ external_id: 'v2:other' }]);
  });

  test('markCheckRun sends the request again after a lost answer', async () => {
    github().patch(RUN).reply(502).patch(RUN).reply(200, ANSWER);
    expect(await markCheckRun(client(), 77, IDENTITY, NEVER_ABORTED)).toMatchObject({ ok: true });
  });

  test('markCheckRun names the missing permission', async () => {
    github().patch(RUN).reply(403, REFUSED);
    expect(await markCheckRun(client(), 77, IDENTITY, NEVER_ABORTED)).toMatchObject({
      error: { kind: 'forbidden', permission: 'checks: write', operation: 'update the check run' },
    });
  });
});

describe('completeCheckRun', () => {
  test.each<[string, Partial<CompletedIdentity>, Record<string, unknown>]>([
    ['the mark of this attempt', {}, { external_id: 'v1:scan:key:mac' }],
    [
      'the mark of this attempt and the link to the run',
      { detailsUrl: 'https://github.com/acme/shop/actions/runs/2' },
      { external_id: 'v1:scan:key:mac', details_url: 'https://github.com/acme/shop/actions/runs/2' },
    ],
    // The check run keeps the mark of the earlier attempt. Later runs need this mark as a proof of that attempt's scan.
    ['no mark if this attempt has none', { externalId: undefined }, {}],
  ])('to the check run of an earlier attempt, completeCheckRun writes %s', async (_what, changes, named) => {
    const bodies: Body[] = [];
    github().patch(RUN, keep(bodies)).reply(200, ANSWER);
    const result = { conclusion: 'success', output: OUTPUT, annotations: [] } as const;
    const identity = { ...IDENTITY, ...changes };
    expect(await completeCheckRun(client(), 77, identity, result, NEVER_ABORTED, true)).toMatchObject({
      ok: true,
    });
    expect(bodies).toEqual([{ ...named, status: 'completed', conclusion: 'success', output: OUTPUT }]);
  });

  test('completeCheckRun writes the mark once, together with the conclusion', async () => {
    const bodies: Body[] = [];
    github().patch(RUN, keep(bodies)).twice().reply(200, ANSWER);
    await complete(60);
    expect(bodies.map((body) => body['external_id'])).toEqual(['v1:scan:key:mac', undefined]);
  });

  test('completeCheckRun creates a check run with an empty external id if this run has no mark', async () => {
    const bodies: Body[] = [];
    github().patch(RUN).reply(422, { message: 'Invalid' }).post(RUNS, keep(bodies)).reply(201, ANSWER);
    const result = { conclusion: 'cancelled', output: OUTPUT, annotations: [] } as const;
    const identity = { name: 'Security scan', headSha: SHA.head, externalId: undefined };
    expect(await completeCheckRun(client(), 77, identity, result, NEVER_ABORTED, true)).toMatchObject({
      ok: true,
    });
    expect(bodies[0]).toMatchObject({ external_id: '', conclusion: 'cancelled' });
  });

  test('completeCheckRun creates no check run if it may not create one', async () => {
    github().patch(RUN).reply(422, { message: 'Invalid' });
    const result = { conclusion: 'failure', output: OUTPUT, annotations: [] } as const;
    expect(await completeCheckRun(client(), 77, IDENTITY, result, NEVER_ABORTED, false)).toMatchObject({
      ok: false,
      error: { kind: 'refused' },
    });
  });

  test('completeCheckRun sends one request for up to 50 annotations', async () => {
    const bodies: Body[] = [];
    github().patch(RUN, keep(bodies)).reply(200, ANSWER);
    expect(await complete(50)).toEqual({
      ok: true,
      value: { url: ANSWER.html_url, annotated: 50, refused: [], fault: undefined },
    });
    expect(bodies[0]).toMatchObject({ status: 'completed', conclusion: 'failure', output: OUTPUT });
    expect(bodies[0]?.output.annotations?.[0]).toEqual({
      path: 'src/a.ts',
      start_line: 1,
      end_line: 1,
      annotation_level: 'warning',
      title: 'finding 1',
      message: 'why',
    });
  });

  test('completeCheckRun sends the conclusion first, and each annotation once and in order', async () => {
    const bodies: Body[] = [];
    github().patch(RUN, keep(bodies)).times(3).reply(200, ANSWER);
    expect(await complete(101)).toMatchObject({ value: { annotated: 101, refused: [] } });
    expect(bodies.map((body) => body['conclusion'])).toEqual(['failure', undefined, undefined]);
    expect(bodies.map((body) => body.output.annotations?.length)).toEqual([50, 50, 1]);
    for (const body of bodies) expect(body.output).toMatchObject(OUTPUT);
    const titles = bodies.flatMap((body) => body.output.annotations?.map(({ title }) => title) ?? []);
    expect(titles).toEqual(annotations(101).map(({ title }) => title));
  });

  test('completeCheckRun leaves out an empty list of annotations', async () => {
    const bodies: Body[] = [];
    github().patch(RUN, keep(bodies)).reply(200, ANSWER);
    expect(await complete(0)).toMatchObject({ value: { annotated: 0, refused: [] } });
    expect(bodies[0]?.output).toEqual(OUTPUT);
  });

  test('completeCheckRun creates a completed check run if there is none to update', async () => {
    const bodies: Body[] = [];
    github().patch(RUN).reply(403, REFUSED).post(RUNS, keep(bodies)).reply(201, { id: 78 });
    expect(await complete(2)).toMatchObject({
      value: { annotated: 2, notUpdated: { kind: 'forbidden', operation: 'update the check run' } },
    });
    github().post(RUNS, keep(bodies)).reply(201, ANSWER);
    const result = { conclusion: 'success', output: OUTPUT, annotations: [] } as const;
    expect(await completeCheckRun(client(), undefined, IDENTITY, result, NEVER_ABORTED, true)).toMatchObject({
      ok: true,
    });
    expect(bodies).toMatchObject([
      { status: 'completed', conclusion: 'failure', head_sha: SHA.head, external_id: 'v1:scan:key:mac' },
      { status: 'completed', conclusion: 'success' },
    ]);
  });

  test('completeCheckRun asks once more if GitHub does not find the check run', async () => {
    const [bodies, clock]: [Body[], FakeClock] = [[], new FakeClock()];
    github().patch(RUN).reply(404, { message: 'Not Found' }).patch(RUN, keep(bodies)).reply(200, ANSWER);
    expect(await complete(1, 77, clock)).toEqual({
      ok: true,
      value: { url: ANSWER.html_url, annotated: 1, refused: [], fault: undefined },
    });
    expect(bodies[0]).toMatchObject({ conclusion: 'failure' });
    expect(clock.sleeps).toEqual([PAUSE_AFTER_LOSS_MS]);

    github().patch(RUN).twice().reply(404, { message: 'Not Found' }).post(RUNS).reply(201, { id: 78 });
    expect(await complete(1)).toMatchObject({ value: { notUpdated: { kind: 'not-found' } } });
  });

  test.each(['in_progress', 'completed'])(
    'after a lost answer, completeCheckRun does not adopt an older check run with the status `%s`',
    async (status) => {
      github().patch(RUN).reply(403, REFUSED).post(RUNS).reply(502);
      github()
        .get(LIST)
        .reply(200, {
          check_runs: [
            {
              id: 77,
              name: 'Security scan',
              head_sha: SHA.head,
              external_id: 'v1:scan:key:mac',
              status,
              output: OUTPUT,
            },
          ],
        });
      github().post(RUNS).reply(201, { id: 78 });
      expect(await complete(1)).toMatchObject({ ok: true, value: { annotated: 1 } });
    },
  );

  test('completeCheckRun names the missing permission if GitHub refuses every write', async () => {
    github().patch(RUN).reply(403, REFUSED).post(RUNS).reply(403, REFUSED);
    expect(await complete(1)).toMatchObject({ error: { kind: 'forbidden', permission: 'checks: write' } });
  });

  test('completeCheckRun creates no check run if the token has expired', async () => {
    github().patch(RUN).reply(401, { message: 'Bad credentials' });
    expect(await complete(1)).toMatchObject({ error: { kind: 'unauthorized' } });
  });
});

describe('completeCheckRun, if annotations cannot be written', () => {
  const INVALID = { message: 'Invalid request.' };

  test('completeCheckRun sets the conclusion even if GitHub refuses all annotations', async () => {
    const bodies: Body[] = [];
    github().patch(RUN).reply(422, INVALID).patch(RUN, keep(bodies)).reply(200, ANSWER);
    expect(await complete(3)).toMatchObject({
      value: { annotated: 0, refused: annotations(3), fault: { kind: 'refused', status: 422 } },
    });
    expect(bodies[0]).toMatchObject({ conclusion: 'failure' });
    expect(bodies[0]?.output.annotations).toBeUndefined();
  });

  test('if GitHub refuses the first batch of annotations, completeCheckRun returns only that batch as refused', async () => {
    github().patch(RUN).reply(422, INVALID).patch(RUN).twice().reply(200, ANSWER);
    expect(await complete(60)).toMatchObject({
      value: { annotated: 10, refused: annotations(60).slice(0, 50), fault: { status: 422 } },
    });
  });

  test('completeCheckRun sends the third batch of annotations even if GitHub refuses the second', async () => {
    github().patch(RUN).reply(200, ANSWER).patch(RUN).reply(422, INVALID).patch(RUN).reply(200, ANSWER);
    expect(await complete(110)).toMatchObject({
      value: { annotated: 60, refused: annotations(110).slice(50, 100), fault: { status: 422 } },
    });
  });

  test('if GitHub rejects the token, completeCheckRun sends no further annotations', async () => {
    github().patch(RUN).reply(200, ANSWER).patch(RUN).reply(401, { message: 'Bad credentials' });
    expect(await complete(150)).toMatchObject({
      value: { annotated: 50, refused: annotations(150).slice(50), fault: { kind: 'unauthorized' } },
    });
  });

  test('after a lost answer, completeCheckRun adds no annotation twice', async () => {
    const counted = (count: number) => ({ ...ANSWER, output: { annotations_count: count } });
    github().patch(RUN).reply(200, ANSWER);
    github().patch(RUN).reply(502).get(RUN).reply(200, counted(60));
    expect(await complete(60)).toMatchObject({ value: { annotated: 60, refused: [] } });

    github().patch(RUN).reply(200, ANSWER);
    const clock = new FakeClock();
    github().patch(RUN).reply(502).get(RUN).reply(200, counted(50)).patch(RUN).reply(200, ANSWER);
    expect(await complete(60, 77, clock)).toMatchObject({ value: { annotated: 60, refused: [] } });
    expect(clock.sleeps).toEqual([PAUSE_AFTER_LOSS_MS]);
  });

  test('after a lost answer, completeCheckRun sends the request again if it cannot read the number of annotations', async () => {
    github().patch(RUN).reply(502).get(RUN).reply(404, {}).patch(RUN).reply(200, ANSWER);
    expect(await complete(1)).toMatchObject({ value: { annotated: 1 } });
  });
});

describe('outputOnTheWire', () => {
  test('outputOnTheWire cuts the summary and the text to 65,535 bytes, between characters', () => {
    const output = { title: 't', summary: 'ä'.repeat(40_000), text: `a${'😀'.repeat(20_000)}` };
    const { summary, text = '' } = outputOnTheWire(output, []);
    expect(Buffer.byteLength(summary)).toBe(65_535);
    expect(Buffer.byteLength(text)).toBe(65_532);
    expect(summary + text).not.toContain('\ufffd');
  });

  test('outputOnTheWire keeps a text whose length is exactly the limit', () => {
    const summary = `${'ä'.repeat(32_767)}a`;
    expect(outputOnTheWire({ title: 't', summary, text: '' }, [])).toEqual({ title: 't', summary });
  });

  test('outputOnTheWire does not split a character of a title', () => {
    const { title } = outputOnTheWire({ title: `${'a'.repeat(254)}😀`, summary: 's', text: '' }, []);
    expect(title).toBe(`${'a'.repeat(254)}…`);
  });

  test('outputOnTheWire leaves out an empty text', () => {
    expect(outputOnTheWire({ title: 't', summary: 's', text: '' }, [])).toEqual({ title: 't', summary: 's' });
  });
});
