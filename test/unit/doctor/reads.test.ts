import { afterEach, expect, test } from 'vitest';
import { readGitHub } from '../../../src/doctor/reads.ts';
import { ok } from '../../../src/domain/result.ts';
import { content } from '../github/answers.ts';
import { client, expectNoAnswerLeft, github } from '../github/client.ts';
import { SHA } from '../github/samples.ts';

afterEach(expectNoAnswerLeft);

test.each([
  ['the newest commit', ''],
  ['the head of its run', SHA.head],
])('the doctor compares %s, and reads what the workflows and the rules name', async (_what, headSha) => {
  const path = '.github/workflows/scangate.yml';
  const gate =
    'on: pull_request_target\njobs:\n  job:\n    environment: forks\n    steps:\n      - uses: scangate/scangate@v0\n';
  const text = `${gate}        with: { scan-forks: all }\n`;
  const pinned = `${gate}        with: { paths-exempt: 'test/**' }\n`;
  const triagePath = '.github/workflows/triage.yml';
  const triage =
    'on: issue_comment\njobs:\n  job:\n    environment: triage\n    steps:\n      - uses: scangate/scangate/triage@v0\n        with: { triage-token: secret }\n';
  const files = [
    { path, text },
    { path: triagePath, text: triage },
  ];
  const workflows = [{ path, repository_id: 7, ref: 'refs/tags/v1' }];
  const repository = '/repos/acme/shop';
  const contents = 'contents/.github%2Fworkflows';
  const answers = {
    [repository]: { id: 7, default_branch: 'main', private: false },
    [`${repository}/branches/main`]: { commit: { sha: SHA.base }, protected: false },
    [`${repository}/rules/branches/main?per_page=100`]: [
      { type: 'workflows', parameters: { workflows } },
      {
        type: 'required_status_checks',
        parameters: { required_status_checks: [{ context: 'Gate', integration_id: 5 }] },
      },
    ],
    [`${repository}/compare/${SHA.base}...${headSha || SHA.base}?per_page=1&page=2`]: {
      merge_base_commit: { sha: SHA.base },
    },
    [`${repository}/commits/${SHA.base}/check-runs?check_name=Gate&filter=all&per_page=100&page=1`]: {
      check_runs: [],
    },
    [`${repository}/${contents}?ref=${SHA.base}`]: files.map((file) => ({ type: 'file', path: file.path })),
    [`${repository}/${contents}%2Fscangate.yml?ref=${SHA.base}`]: content(text),
    [`${repository}/${contents}%2Ftriage.yml?ref=${SHA.base}`]: content(triage),
    [`/repositories/7/${contents}%2Fscangate.yml?owner=acme&repo=shop&ref=refs%2Ftags%2Fv1`]: content(pinned),
    [`${repository}/actions/workflows/scangate.yml/runs?event=pull_request_target&per_page=5&created=%3E%3D2026-01-01`]:
      { workflow_runs: [] },
    [`${repository}/actions/workflows/scangate.yml/runs?event=pull_request_target&per_page=1`]: {
      workflow_runs: [{ id: 1, head_sha: SHA.other }],
    },
    [`${repository}/commits/${SHA.other}/check-runs?check_name=Gate&per_page=100`]: {
      check_runs: [{ id: 2, app: { id: 9 } }],
    },
    [`${repository}/environments/forks`]: {},
    [`${repository}/environments/triage`]: {},
    [`${repository}/languages`]: { Python: 1 },
  };
  for (const [address, answer] of Object.entries(answers)) github().get(address).reply(200, answer);
  const asked = { headSha, checkName: 'Gate', serverUrl: 'https://github.com' };
  const read = await readGitHub(client(), { ...asked, now: new Date('2026-01-15T12:00:00Z') });
  expect(read).toMatchObject({
    workflows: ok({ files, complete: true }),
    foreign: [{ workflow: { ref: 'refs/tags/v1' }, file: ok({ path, text: pinned }) }],
    targetRuns: ok(false),
    environments: new Map([
      ['forks', ok({ hasReviewers: false, branches: 'all' })],
      ['triage', ok({ hasReviewers: false, branches: 'all' })],
    ]),
    jobApps: new Map([['Gate', ok(9)]]),
    languages: ok(['Python']),
  });
});
