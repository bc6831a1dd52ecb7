import { describe, expect, test } from 'vitest';
import type { CheckAnnotation } from '../../../src/domain/check-output.ts';
import {
  type CompletedIdentity,
  completeCheckRun,
  createCheckRun,
  listCheckRuns,
  markCheckRun,
  outputOnTheWire,
} from '../../../src/github/check-run.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import type { Reply } from '../../support/answering.ts';
import { NEXT } from './answers.ts';
import { answered } from './client.ts';
import { expectConversations, type Row } from './conversation.ts';
import { SHA } from './samples.ts';

const IDENTITY = { name: 'Security scan', headSha: SHA.head, externalId: 'v1:scan:key:mac' };
const OUTPUT = { title: 'T', summary: 'S', text: 'X' };
const ANSWER = { id: 77, html_url: 'https://github.com/acme/shop/runs/77' };
const DONE: Reply = [200, ANSWER];
const CREATED: Reply = [201, { id: 78 }];
const LOST: Reply = [502, 'Bad Gateway'];
const REFUSED: Reply = [403, { message: 'Resource not accessible by integration' }];
const GONE: Reply = [404, { message: 'Not Found' }];
const INVALID: Reply = [422, { message: 'Invalid request.' }];
const UNAUTHORIZED: Reply = [401, { message: 'Bad credentials' }];
const listed = (...runs: object[]): Reply => [
  200,
  { check_runs: runs.map((run) => ({ name: 'Security scan', head_sha: SHA.head, ...run })) },
];
const more = ([status, body]: Reply): Reply => [status, body, NEXT];
const counted = (count: number): Reply => [200, { ...ANSWER, output: { annotations_count: count } }];

const list = async (github: GitHubClient) => {
  const runs = await listCheckRuns(github, SHA.head, IDENTITY.name);
  return runs.ok ? runs.value.map(({ id }) => id) : runs.error;
};
const create = (github: GitHubClient) => createCheckRun(github, IDENTITY, OUTPUT);
const mark = (github: GitHubClient) => markCheckRun(github, 77, { externalId: 'v2:other' });
/** Completes the check run 77 with this number of annotations. */
const complete =
  (count: number, change: Partial<CompletedIdentity> = {}, mayCreate = true, id: number | undefined = 77) =>
  (github: GitHubClient) =>
    completeCheckRun(
      github,
      id === 0 ? undefined : id,
      { ...IDENTITY, ...change },
      { conclusion: 'failure', output: OUTPUT, annotations: annotations(count) },
      mayCreate,
    );

function annotations(count: number): CheckAnnotation[] {
  return Array.from({ length: count }, (_, index) => ({
    path: 'a',
    startLine: index + 1,
    endLine: index + 1,
    level: 'warning',
    title: `F${index + 1}`,
    message: 'M',
    rawDetails: undefined,
  }));
}

const stored = (status: string) =>
  listed({ id: 77, external_id: IDENTITY.externalId, status, output: OUTPUT });
const PAGES = Array.from({ length: 50 }, (_, index) => more(listed({ id: index + 1 })));
const DETAILS = { detailsUrl: 'https://github.com/acme/shop/actions/runs/2' };

const ROWS: readonly Row[] = [
  [
    'list several pages',
    list,
    more(listed({ id: 9 }, { id: 3 })),
    more(listed({ id: 3 }, { id: 7 })),
    listed({ id: 8 }),
  ],
  ['list fifty pages', list, ...PAGES.slice(1), listed({ id: 1 })],
  ['list more than fifty pages', list, ...PAGES],

  ['create', create, [201, ANSWER]],
  ['create, with an invalid link', create, [201, { id: 77, html_url: 'javascript:alert(1)' }]],
  ['create without the permission', create, REFUSED],
  ['create, with two lost answers', create, LOST, listed(), LOST],

  ['mark', mark, DONE],
  ['mark, with a lost answer', mark, LOST, DONE],
  ['mark without the permission', mark, REFUSED],

  ['complete without annotations', complete(0), DONE],
  ['complete with the link to the run', complete(0, DETAILS), DONE],
  // The check run keeps the mark of the earlier attempt. Later runs need this mark as a proof of that attempt's scan.
  ['complete without a mark', complete(0, { externalId: undefined }), DONE],
  ['complete anew without a mark', complete(0, { externalId: undefined }), INVALID, CREATED],
  ['complete what may not be created', complete(0, {}, false), INVALID],
  ['complete what was never created', complete(1, {}, true, 0), CREATED],
  ['complete with 50 annotations', complete(50), DONE],
  ['complete with 101 annotations', complete(101), DONE, DONE, DONE],
  ['complete without the permission to update', complete(2), REFUSED, CREATED],
  ['complete without the permission to write', complete(1), REFUSED, REFUSED],
  ['complete after the token expired', complete(1), UNAUTHORIZED],
  ['complete what is not found once', complete(1), GONE, DONE],
  ['complete what is not found twice', complete(1), GONE, GONE, CREATED],
  ['complete, but do not adopt an older run', complete(1), REFUSED, LOST, stored('in_progress'), CREATED],
  ['complete, but do not adopt a completed run', complete(1), REFUSED, LOST, stored('completed'), CREATED],
  ['complete with invalid annotations', complete(3), INVALID, DONE],
  ['complete with an invalid first batch of annotations', complete(60), INVALID, DONE, DONE],
  ['complete with an invalid second batch of annotations', complete(101), DONE, INVALID, DONE],
  ['complete until the token expires', complete(150), DONE, UNAUTHORIZED],
  ['complete, with a lost answer about annotations', complete(60), DONE, LOST, counted(60)],
  ['complete, with a lost request with annotations', complete(60), DONE, LOST, counted(50), DONE],
  ['complete, with an unknown number of annotations', complete(1), LOST, GONE, DONE],
];

test('a check run is listed, created, marked and completed with as few requests as possible', async () => {
  await expectConversations('check-run', ROWS);
});

test('after a lost answer, createCheckRun adopts only its own check run', async () => {
  const shared = { external_id: 'v1:scan:key:mac', status: 'in_progress' };
  const others = [
    { id: 75, external_id: '', status: 'in_progress' },
    { id: 76, ...shared, output: { summary: '<!-- another step -->\nS' } },
    { id: 78, ...shared, output: null },
  ];
  const { github, bodies } = answered(LOST, () => {
    const { output }: { output?: object } = Object(bodies[0]);
    return listed(...others, { ...ANSWER, ...shared, output });
  });
  expect(await create(github)).toMatchObject({ value: { id: 77 } });
});

test('completeCheckRun sends each annotation once and in order', async () => {
  const { github, bodies } = answered(DONE, DONE, DONE);
  await complete(101)(github);
  const sent = bodies.flatMap((body) => Object(Object(body).output).annotations);
  expect(sent.map(({ title }) => title)).toEqual(annotations(101).map(({ title }) => title));
});

describe('outputOnTheWire', () => {
  test('outputOnTheWire cuts the summary and the text to 65,535 bytes, between characters', () => {
    const output = { title: 't', summary: 'ä'.repeat(40_000), text: `a${'😀'.repeat(20_000)}` };
    const { summary, text = '' } = outputOnTheWire(output, []);
    expect(Buffer.byteLength(summary)).toBe(65_535);
    expect(Buffer.byteLength(text)).toBe(65_532);
    expect(summary + text).not.toContain('\ufffd');
  });

  test('outputOnTheWire keeps a text whose length is exactly the limit, and leaves out an empty text', () => {
    const summary = `${'ä'.repeat(32_767)}a`;
    expect(outputOnTheWire({ title: 't', summary, text: '' }, [])).toEqual({ title: 't', summary });
  });

  test('outputOnTheWire does not split a character of a title', () => {
    const { title } = outputOnTheWire({ title: `${'a'.repeat(254)}😀`, summary: 's', text: '' }, []);
    expect(title).toBe(`${'a'.repeat(254)}…`);
  });
});
