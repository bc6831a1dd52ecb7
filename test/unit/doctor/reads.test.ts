import { afterEach, expect, test } from 'vitest';
import { readGitHub } from '../../../src/doctor/reads.ts';
import { ok } from '../../../src/domain/result.ts';
import { client, expectNoAnswerLeft, github, SHA } from '../github/client.ts';

afterEach(expectNoAnswerLeft);

const REPOSITORY = '/repos/acme/shop';
const WORKFLOWS = `${REPOSITORY}/contents/.github%2Fworkflows`;
const PATH = '.github/workflows/scangate.yml';
const content = (text: string) => ({ encoding: 'base64', content: Buffer.from(text).toString('base64') });
const TEXT = 'on: pull_request_target\njobs:\n  scangate:\n    steps:\n      - uses: scangate/scangate@v0\n';
const PINNED = { path: PATH, repository_id: 7, ref: 'refs/tags/v1' };

test('the doctor reads the runs of 14 days, the languages for paths, and a required workflow at its ref', async () => {
  const pinned = `${TEXT}        with: { paths-exempt: 'test/**' }\n`;
  const answers: readonly (readonly [path: string, answer: object])[] = [
    [REPOSITORY, { id: 7, default_branch: 'main', private: false }],
    [`${REPOSITORY}/branches/main`, { commit: { sha: SHA.base }, protected: false }],
    [
      `${REPOSITORY}/rules/branches/main?per_page=100`,
      [{ type: 'workflows', parameters: { workflows: [PINNED] } }],
    ],
    [
      `${REPOSITORY}/compare/${SHA.base}...${SHA.base}?per_page=1&page=2`,
      { merge_base_commit: { sha: SHA.base } },
    ],
    [
      `${REPOSITORY}/commits/${SHA.base}/check-runs?check_name=Gate&filter=all&per_page=100&page=1`,
      { check_runs: [] },
    ],
    [`${WORKFLOWS}?ref=${SHA.base}`, [{ type: 'file', path: PATH }]],
    [`${WORKFLOWS}%2Fscangate.yml?ref=${SHA.base}`, content(TEXT)],
    [
      `/repositories/7/contents/.github%2Fworkflows%2Fscangate.yml?owner=acme&repo=shop&ref=refs%2Ftags%2Fv1`,
      content(pinned),
    ],
    [
      `${REPOSITORY}/actions/workflows/scangate.yml/runs?event=pull_request_target&per_page=5&created=%3E%3D2026-01-01`,
      { workflow_runs: [] },
    ],
    [`${REPOSITORY}/languages`, { Python: 1 }],
  ];
  for (const [path, answer] of answers) github().get(path).reply(200, answer);
  const asked = {
    headSha: '',
    checkName: 'Gate',
    serverUrl: 'https://github.com',
    now: new Date('2026-01-15T12:00:00Z'),
  };
  expect(await readGitHub(client(), asked)).toMatchObject({
    workflows: ok({ files: [{ path: PATH, text: TEXT }], complete: true }),
    foreign: [{ workflow: { ref: 'refs/tags/v1' }, file: ok({ path: PATH, text: pinned }) }],
    targetRuns: ok(false),
    languages: ok(['Python']),
  });
});

test('the doctor compares the head of its run, and reads the environment of the triage token', async () => {
  const gate = TEXT.replace('pull_request_target', 'pull_request');
  const triage = `on: issue_comment
jobs:
  triage:
    environment: triage
    steps:
      - uses: scangate/scangate/triage@v0
        with: { triage-token: secret }
`;
  const TRIAGE = '.github/workflows/triage.yml';
  const answers: readonly (readonly [path: string, answer: object])[] = [
    [REPOSITORY, { id: 7, default_branch: 'main', private: true }],
    [`${REPOSITORY}/branches/main`, { commit: { sha: SHA.base }, protected: false }],
    [`${REPOSITORY}/rules/branches/main?per_page=100`, []],
    [
      `${REPOSITORY}/compare/${SHA.base}...${SHA.head}?per_page=1&page=2`,
      { merge_base_commit: { sha: SHA.base } },
    ],
    [
      `${REPOSITORY}/commits/${SHA.base}/check-runs?check_name=Gate&filter=all&per_page=100&page=1`,
      { check_runs: [] },
    ],
    [
      `${WORKFLOWS}?ref=${SHA.base}`,
      [
        { type: 'file', path: PATH },
        { type: 'file', path: TRIAGE },
      ],
    ],
    [`${WORKFLOWS}%2Fscangate.yml?ref=${SHA.base}`, content(gate)],
    [`${WORKFLOWS}%2Ftriage.yml?ref=${SHA.base}`, content(triage)],
    [`${REPOSITORY}/environments/triage`, {}],
  ];
  for (const [path, answer] of answers) github().get(path).reply(200, answer);
  const asked = { headSha: SHA.head, checkName: 'Gate', serverUrl: 'https://github.com', now: new Date(0) };
  expect(await readGitHub(client(), asked)).toMatchObject({
    environments: new Map([['triage', ok({ hasReviewers: false, branches: 'all' })]]),
  });
});
