import { EOL } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { matchesPath, type PathPattern } from '../../../src/domain/path-patterns.ts';
import { createInputReader } from '../../../src/runner/input-forms.ts';
import { readInputs } from '../../../src/runner/inputs.ts';
import { readTriageInputs } from '../../../src/runner/triage-inputs.ts';
import { changes, shown } from '../../support/shown.ts';

const TOKEN = 'svc_proj_k1_0123456789abcdef';
const SOUND = { 'base-url': 'https://scan.example/api/v1', 'api-token': TOKEN, 'github-token': 'ghs_x' };

/** The inputs, where the other inputs are valid, and the secrets that are masked. */
function sourceOf(given: Readonly<Record<string, string>>) {
  const masked: string[] = [];
  const all: Readonly<Record<string, string>> = { ...SOUND, ...given };
  return {
    masked,
    getInput: (name: string) => all[name] ?? '',
    setSecret: (secret: string) => void masked.push(secret),
  };
}

function read(given: Readonly<Record<string, string>>) {
  const source = sourceOf(given);
  const { inputs, ...reading } = readInputs('/home/runner/work', source);
  const { policy, setup } = inputs;
  // A list of patterns is shown by the paths that it matches.
  const matched = (patterns: readonly PathPattern[]) => PATHS.filter((path) => matchesPath(patterns, path));
  return {
    ...inputs,
    ...reading,
    masked: source.masked,
    policy: { ...policy, pathsExempt: matched(policy.pathsExempt) },
    setup: { ...setup, pathsUnscanned: matched(setup.pathsUnscanned) },
  };
}

function readTriage(given: Readonly<Record<string, string>>) {
  const source = sourceOf(given);
  const { inputs, ...reading } = readTriageInputs(source);
  return { ...inputs, missing: [], ...reading, masked: source.masked };
}

const PATHS = ['docs/a.md', 'docs/api/a.md', 'a.md', 'team/x'];
const PATTERNS = ['docs/**\n!docs/api/**\n', '/docs/**', 'docs/**, test/**', '!docs/**', '[a\ndocs/**\nb/'];
const EVERYTHING = ['**', '*\n**/*', '*.md\n**/*', '**\n!team/**', 'a\n'.repeat(201)];
const OUTSIDE = ['../report.json', '..', '/etc/passwd', 'a/../../x', '.', '/home/runner/work-2/x'];
const INSIDE = ['out/report.json', '/home/runner/work/r.json', '..report.json'];

/** Values of each input. The other inputs are valid. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'base-url': [
    ...['https://scan.example/api/v1/', 'https://scan.example:8443/deep/api/v1', 'http://localhost/api/v1'],
    ...['http://127.0.0.1:3000/api/v1', 'http://[::1]:9/api/v1', ' ', 'scan.example/api/v1'],
    ...['http://scan.example/api/v1', 'http://127.0.0.1.evil.example/api/v1'],
    ...['http://localhost.evil.example/api/v1', 'https://scan.example', 'https://scan.example/api/v2'],
    ...['https://scan.example/api/v1/x', 'http://127.0.0.100/api/v1', 'http://10.0.0.1/api/v1'],
    ...['https://scan.example/api/v1?x=1', 'https://scan.example/api/v1?', 'https://scan.example/api/v1#x'],
    ...[
      'https://user@scan.example/api/v1',
      'https://:hunter22@scan.example/api/v1',
      'https://user:hunter22@scan.example/api/v1',
    ],
    ...['ftp://127.0.0.1/api/v1', 'file:///api/v1'],
  ],
  // Only a token that no header can hold is an error. A missing token is a result of its own.
  'api-token': ['', 'a b', 'ghp_0123456789', 'svc_proj_k1_abc\nX-Evil: 1', 'svc_proj_k1_abc…'],
  'github-token': ['ghs_abc\nX-Evil: 1', 'ghs_äbc\u007f'],
  'fail-on': [
    'nome',
    'None ',
    'off',
    'false',
    'NONE,high',
    '0',
    'critical, high:poc',
    '`x`',
    'x'.repeat(60),
    'x'.repeat(61),
  ],
  comment: ['sometimes'],
  'timeout-minutes': ['0', '1', '7200', '7201'],
  'credit-budget': ['1.5', '1'],
  'scan-forks': ['everybody'],
  'reuse-scan': ['false', 'FALSE', 'true', '', 'no'],
  'publish-password': ['hunter2secret'],
  'comment-note': [
    'Ask **#appsec**, or read [our policy](https://intranet.example/appsec).',
    ...['x'.repeat(500), '', 'x'.repeat(501), 'one\ntwo', 'one\rtwo'],
  ],
  'paths-exempt': [...PATTERNS, ...EVERYTHING],
  'paths-unscanned': [...PATTERNS, ...EVERYTHING],
  'allow-unscanned': [
    ...['none', '', 'missing-token,, timeout', 'missing-token\n  rate-limited\n', 'superseded'],
    ...[
      'unsupported-event',
      'timeout, paths',
      'configuration',
      'missing-token, none',
      'none, missing-token',
      'missing_token',
    ],
  ],
  'guidance-file': [
    ...['', ' .github/security-guidance.md ', 'GUIDANCE', 'docs/für uns/..a.md', '/etc/passwd', './a.md'],
    ...['../a.md', 'a/../b.md', 'a//b.md', 'a/', 'a\\b.md', 'a\nb.md', '.', '..'],
  ],
  'launch-parameters': ['{"commit": null, "branch": "x"}', '[]', 'null', '"x"', '1', '{', 'commit: x'],
  'base-commit': [
    ...['A'.repeat(40), 'b'.repeat(64), 'main', 'abc1234', `${'a'.repeat(40)} `.repeat(2), '-'.repeat(40)],
  ],
  'report-file': [...INSIDE, ...OUTSIDE],
  'sarif-file': [...INSIDE, ...OUTSIDE],
};

const TOGETHER: readonly Record<string, string>[] = [
  {
    'fail-on': 'hihg',
    comment: 'sometimes',
    'timeout-minutes': '0',
    'credit-budget': '1.5',
    'reuse-scan': 'no',
    'scan-forks': 'everybody',
  },
  { 'comment-note': 'one\ntwo', 'check-name': 'one\ntwo', comment: 'x' },
  { 'fail-on': 'critical, high:poc', 'fail-on-evidence': 'confirmed' },
  { 'paths-exempt': '**', 'fail-on': 'none' },
  { 'paths-exempt': '**', 'fail-on': 'critical:poc' },
  { 'paths-exempt': '**', 'fail-on': 'nome' },
  { 'sarif-file': 'out/../scan.json', 'report-file': './scan.json' },
  { 'sarif-file': 'scan.sarif', 'report-file': 'scan.json' },
];

/** Inputs of the triage action. It does not read the inputs of the gate's policy. */
const OF_TRIAGE: readonly Record<string, string>[] = [
  { 'project-id': ' p ', 'job-name': ' gate ', 'check-name': 'Scan' },
  { who: 'writers', 'triage-token': 'svc_proj_k2_fedcba9876543210' },
  { who: 'everyone' },
  { 'triage-token': 'svc_proj_k2_fed cba' },
  { 'api-token': 'svc_proj_k2_fed\ncba' },
  { 'github-token': 'ghs_…' },
  { 'base-url': '', 'api-token': '', 'check-name': 'a\nb', 'github-token': '' },
  { 'fail-on': 'hihg', 'timeout-minutes': '0' },
];

type Reading = Readonly<Record<'faults' | 'warnings' | 'missing', readonly string[]>>;

/** Shows how the reading differs from the reading of the defaults. */
function line(given: Record<string, string>, readGiven: (given: Record<string, string>) => Reading): string {
  const { faults, warnings, missing, ...reading } = readGiven(given);
  const { faults: _, warnings: __, missing: ___, ...defaults } = readGiven({});
  const found = [
    ...changes(defaults, reading),
    ...faults.map((fault) => `error: ${fault}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...missing.map((sentence) => `missing: ${sentence}`),
  ];
  expect(faults.join(' ')).not.toMatch(/hunter2|0123456789|abc…|_äbc/);
  const names = Object.entries(given).map(([name, value]) => `${name} ${shown(value)}`);
  return `${names.join(', ')}: ${found.join('; ') || 'the default'}`;
}

test('each input is read, or is an error that says what to write instead', async () => {
  const single = Object.entries(VALUES).flatMap(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  );
  const lines = [
    `the defaults: ${shown(read({}))}`,
    ...[...single, ...TOGETHER].map((row) => line(row, read)),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/inputs.txt');
});

test('the triage action reads its inputs as the gate does, and no other inputs', async () => {
  const lines = [`the defaults: ${shown(readTriage({}))}`, ...OF_TRIAGE.map((row) => line(row, readTriage))];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/triage-inputs.txt');
});

test('inputs are read from the variables of the runner, and secrets are masked by its command', () => {
  vi.stubEnv('INPUT_COMMENT', ' always ');
  onTestFinished(() => void vi.unstubAllEnvs());
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const reader = createInputReader();
  reader.mask('secret');
  expect(reader.text('comment')).toBe('always');
  expect(write).toHaveBeenCalledWith(`::add-mask::secret${EOL}`);
});

test('the tokens are masked before any other input is read', () => {
  const events: string[] = [];
  const source = sourceOf({});
  readInputs('/w', {
    getInput: (name) => {
      events.push(name);
      return source.getInput(name);
    },
    setSecret: () => void events.push('mask'),
  });
  expect(events.slice(0, 5)).toEqual(['api-token', 'github-token', 'mask', 'mask', 'mask']);
});
