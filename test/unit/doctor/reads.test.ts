import { afterEach, expect, test } from 'vitest';
import { readGitHub } from '../../../src/doctor/reads.ts';
import { ok } from '../../../src/domain/result.ts';
import { client, expectNoAnswerLeft, github, SHA } from '../github/client.ts';

afterEach(expectNoAnswerLeft);

const REPOSITORY = '/repos/acme/shop';
const PATH = '.github/workflows/scangate.yml';
const TRIAGE = '.github/workflows/triage.yml';
const workflow = (event: string, step: string) =>
  `on: ${event}\njobs:\n  job:\n    environment: triage\n    steps:\n      - uses: scangate/${step}\n`;
const content = (text: string) => ({ encoding: 'base64', content: Buffer.from(text).toString('base64') });

/** Reads what GitHub shows. GitHub answers exactly these requests, besides those for the files and the branch. */
async function readingOf(
  headSha: string,
  rules: readonly object[],
  files: Readonly<Record<string, string>>,
  answers: Readonly<Record<string, object>>,
) {
  const contents = `${REPOSITORY}/contents/.github%2Fworkflows`;
  const head = headSha === '' ? SHA.base : headSha;
  const all = {
    [REPOSITORY]: { id: 7, default_branch: 'main', private: false },
    [`${REPOSITORY}/branches/main`]: { commit: { sha: SHA.base }, protected: false },
    [`${REPOSITORY}/rules/branches/main?per_page=100`]: rules,
    [`${REPOSITORY}/compare/${SHA.base}...${head}?per_page=1&page=2`]: {
      merge_base_commit: { sha: SHA.base },
    },
    [`${REPOSITORY}/commits/${SHA.base}/check-runs?check_name=Gate&filter=all&per_page=100&page=1`]: {
      check_runs: [],
    },
    [`${contents}?ref=${SHA.base}`]: Object.keys(files).map((path) => ({ type: 'file', path })),
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        `${contents}%2F${path.split('/').at(-1)}?ref=${SHA.base}`,
        content(text),
      ]),
    ),
    ...answers,
  };
  for (const [path, answer] of Object.entries(all)) github().get(path).reply(200, answer);
  const asked = { headSha, checkName: 'Gate', serverUrl: 'https://github.com' };
  return readGitHub(client(), { ...asked, now: new Date('2026-01-15T12:00:00Z') });
}

test('the doctor reads the runs of 14 days, the languages for paths, and a required workflow at its ref', async () => {
  const text = workflow('pull_request_target', 'scangate@v0');
  const pinned = `${text}        with: { paths-exempt: 'test/**' }\n`;
  const rule = {
    type: 'workflows',
    parameters: { workflows: [{ path: PATH, repository_id: 7, ref: 'refs/tags/v1' }] },
  };
  const reading = readingOf(
    '',
    [rule],
    { [PATH]: text },
    {
      '/repositories/7/contents/.github%2Fworkflows%2Fscangate.yml?owner=acme&repo=shop&ref=refs%2Ftags%2Fv1':
        content(pinned),
      [`${REPOSITORY}/actions/workflows/scangate.yml/runs?event=pull_request_target&per_page=5&created=%3E%3D2026-01-01`]:
        { workflow_runs: [] },
      [`${REPOSITORY}/languages`]: { Python: 1 },
    },
  );
  expect(await reading).toMatchObject({
    workflows: ok({ files: [{ path: PATH, text }], complete: true }),
    foreign: [{ workflow: { ref: 'refs/tags/v1' }, file: ok({ path: PATH, text: pinned }) }],
    targetRuns: ok(false),
    languages: ok(['Python']),
  });
});

test('the doctor compares the head of its run, and reads the environment of the triage token', async () => {
  const files = {
    [PATH]: workflow('pull_request', 'scangate@v0'),
    [TRIAGE]: `${workflow('issue_comment', 'scangate/triage@v0')}        with: { triage-token: secret }\n`,
  };
  const reading = readingOf(SHA.head, [], files, { [`${REPOSITORY}/environments/triage`]: {} });
  expect(await reading).toMatchObject({
    environments: new Map([['triage', ok({ hasReviewers: false, branches: 'all' })]]),
  });
});
