import { expect, test } from 'vitest';
import { readTriageInputs } from '../../../src/runner/triage-inputs.ts';

const SOUND = {
  'base-url': 'https://scan.example/api/v1',
  'api-token': 'svc_proj_k1_0123456789abcdef',
  'github-token': 'ghs_x',
};

function read(given: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string>> = { ...SOUND, ...given };
  const secrets: string[] = [];
  const reading = readTriageInputs({
    getInput: (name) => all[name] ?? '',
    setSecret: (secret) => void secrets.push(secret),
  });
  return { ...reading, secrets };
}

test('the triage action reads its inputs, and masks the tokens', () => {
  expect(read({ 'project-id': ' p ', 'job-name': ' gate ' })).toEqual({
    inputs: {
      baseUrl: 'https://scan.example/api/v1',
      apiToken: 'svc_proj_k1_0123456789abcdef',
      githubToken: 'ghs_x',
      projectId: 'p',
      checkName: 'Security scan',
      jobName: 'gate',
      triageToken: '',
      who: 'others',
    },
    faults: [],
    warnings: [],
    secrets: expect.arrayContaining(['svc_proj_k1_0123456789abcdef', '0123456789abcdef', 'ghs_x']),
  });
});

test('the triage action reads `who` and `triage-token`, and masks the token', () => {
  const { inputs, faults, secrets } = read({
    who: 'writers',
    'triage-token': 'svc_proj_k2_fedcba9876543210',
  });
  expect({ ...inputs, faults }).toMatchObject({
    who: 'writers',
    triageToken: 'svc_proj_k2_fedcba9876543210',
    faults: [],
  });
  expect(secrets).toEqual(expect.arrayContaining(['svc_proj_k2_fedcba9876543210', 'fedcba9876543210']));
});

test.each([
  ['who', 'everyone', /^`who` is not valid. Use `others` or `writers`/],
  ['triage-token', 'svc_proj_k2_fed cba', /^`triage-token` contains a space/],
  ['api-token', 'svc_proj_k2_fed\ncba', /^`api-token` contains a space/],
  ['github-token', 'ghs_…', /^`github-token` contains a space/],
])('the triage action refuses an input with a wrong value: `%s: %s`', (name, wrong, fault) => {
  expect(read({ [name]: wrong }).faults).toEqual([expect.stringMatching(fault)]);
});

test('the triage action reports all input errors together', () => {
  const { faults } = read({ 'base-url': '', 'api-token': '', 'check-name': 'a\nb', 'github-token': '' });
  expect(faults).toEqual([
    expect.stringMatching(/^`github-token` is empty/),
    expect.stringMatching(/^`check-name` is too long or not one line/),
    expect.stringMatching(/^`base-url` is empty/),
    expect.stringMatching(/^`api-token` is empty. Use the token of the gate/),
  ]);
});

test.each([
  ['fail-on', 'hihg'],
  ['timeout-minutes', '0'],
])('the triage action does not read the input `%s` of the gate', (name, wrong) => {
  expect(read({ [name]: wrong }).faults).toEqual([]);
});
