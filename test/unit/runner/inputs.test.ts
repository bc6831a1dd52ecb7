import { describe, expect, test } from 'vitest';
import { matchesPath, type PathPattern } from '../../../src/domain/path-patterns.ts';
import { type InputReading, readInputs } from '../../../src/runner/inputs.ts';
import { OUTPUT_NAMES } from '../../support/output-names.ts';
import { changes, shown } from '../../support/shown.ts';

const TOKEN = 'svc_proj_k1_0123456789abcdef';
const SOUND = { 'base-url': 'https://scan.example/api/v1', 'api-token': TOKEN, 'github-token': 'ghs_x' };

function read(given: Record<string, string>): InputReading & { secrets: string[] } {
  const secrets: string[] = [];
  const all: Record<string, string> = { ...SOUND, ...given };
  const reading = readInputs('/home/runner/work', {
    getInput: (name) => all[name] ?? '',
    setSecret: (secret) => void secrets.push(secret),
  });
  return { ...reading, secrets };
}

const PATHS = ['docs/a.md', 'docs/api/a.md', 'a.md', 'team/x'];
const PATTERNS = ['docs/**\n!docs/api/**\n', '/docs/**', 'docs/**, test/**', '!docs/**', '[a\ndocs/**\nb/'];
const EVERYTHING = ['**', '*\n**/*', '*.md\n**/*', '**\n!team/**', 'a\n'.repeat(201)];
const OUTSIDE = ['../report.json', '/etc/passwd', 'a/../../x', '.', '/home/runner/work-2/x'];
const INSIDE = ['out/report.json', '/home/runner/work/r.json', '..report.json'];

/** Values of each input. The other inputs are valid. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  'base-url': [
    'https://scan.example/api/v1/',
    'https://scan.example:8443/deep/api/v1',
    'http://127.0.0.1:3000/api/v1',
    'http://localhost/api/v1',
    'http://[::1]:9/api/v1',
    ' ',
    'scan.example/api/v1',
    'http://scan.example/api/v1',
    'http://127.0.0.1.evil.example/api/v1',
    'http://localhost.evil.example/api/v1',
    'https://scan.example',
    'https://scan.example/api/v2',
    'https://scan.example/api/v1?x=1',
    'https://scan.example/api/v1?',
    'https://scan.example/api/v1#x',
    'https://user@scan.example/api/v1',
    'https://user:hunter22@scan.example/api/v1',
    'ftp://127.0.0.1/api/v1',
    'file:///api/v1',
  ],
  // Only a token that no header can hold is an error. A missing token is a result of its own.
  'api-token': ['', 'a b', 'ghp_0123456789'],
  'fail-on': ['nome', 'None ', 'off', 'false', 'NONE,high', '0', 'critical, high:poc'],
  comment: ['sometimes'],
  'timeout-minutes': ['0'],
  'credit-budget': ['1.5'],
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
    ...[
      'none',
      '',
      'missing-token',
      'missing-token, timeout',
      'missing-token\n  rate-limited\n',
      'superseded',
    ],
    ...[
      'unsupported-event',
      'timeout, paths',
      'configuration',
      'missing-token, none',
      'everything',
      'missing_token',
    ],
  ],
  'guidance-file': [
    ...[
      '',
      ' .github/security-guidance.md ',
      'GUIDANCE',
      'docs/für uns/..a.md',
      '/etc/passwd',
      './a.md',
      '../a.md',
    ],
    ...['a/../b.md', 'a//b.md', 'a/', 'a\\b.md', 'a\nb.md', '.', '..'],
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
  { 'paths-exempt': '**', 'fail-on': 'nome' },
  { 'sarif-file': 'out/../scan.json', 'report-file': './scan.json' },
  { 'sarif-file': 'scan.sarif', 'report-file': 'scan.json' },
];

/** What is read. A list of patterns is shown by the paths that it matches. */
function readable({ inputs, withoutToken }: InputReading): unknown {
  const matched = (patterns: readonly PathPattern[]) => PATHS.filter((path) => matchesPath(patterns, path));
  const { policy, setup } = inputs;
  return {
    ...inputs,
    withoutToken,
    policy: { ...policy, pathsExempt: matched(policy.pathsExempt) },
    setup: { ...setup, pathsUnscanned: matched(setup.pathsUnscanned) },
  };
}

function line(given: Record<string, string>): string {
  const { faults, warnings, missing, ...reading } = read(given);
  const found = [
    ...changes(readable(read({})), readable({ ...reading, faults, warnings, missing })),
    ...faults.map((fault) => `error: ${fault}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...missing.map((sentence) => `missing: ${sentence}`),
  ];
  expect(faults.join(' ')).not.toMatch(/hunter2|0123456789/);
  const names = Object.entries(given).map(([name, value]) => `${name} ${shown(value)}`);
  return `${names.join(', ')}: ${found.join('; ') || 'the default'}`;
}

test('each input is read, or is an error that says what to write instead', async () => {
  const single = Object.entries(VALUES).flatMap(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  );
  const { faults, warnings, missing } = read({});
  expect({ faults, warnings, missing }).toEqual({ faults: [], warnings: [], missing: [] });
  const lines = [`the defaults: ${shown(readable(read({})))}`, ...[...single, ...TOGETHER].map(line)];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/inputs.txt');
});

test('the tokens are masked before any other input is read', () => {
  const events: string[] = [];
  readInputs('/w', {
    getInput: (name) => {
      events.push(name);
      return name === 'api-token' ? TOKEN : name === 'github-token' ? 'ghs_x' : '';
    },
    setSecret: () => void events.push('mask'),
  });
  expect(events.slice(0, 5)).toEqual(['api-token', 'github-token', 'mask', 'mask', 'mask']);
});

test('the whole token and its secret part are masked', () => {
  expect(read({}).secrets).toEqual([TOKEN, '0123456789abcdef', 'ghs_x']);
});

test('no two files can have the same path', () => {
  const files = OUTPUT_NAMES.filter((name) => name.endsWith('-file'));
  const pairs = files.flatMap((one, index) => files.slice(index + 1).map((other) => [one, other] as const));
  expect(pairs).not.toEqual([]);
  for (const [one, other] of pairs)
    expect(read({ [one]: 'scan.out', [other]: 'scan.out' }).faults, `${one}, ${other}`).toHaveLength(1);
});

describe.each(['api-token', 'github-token'])('a value of `%s` that no header can hold', (name) => {
  test.each([
    'svc_proj_k1_abc\nX-Evil: 1',
    'svc_proj_k1_abc…',
    'svc_proj_k1_abc def',
    'svc_proj_k1_äbc\u007f',
  ])(`the value %j of \`${name}\` is an error, and is masked, not shown and not used`, (token) => {
    const { faults, inputs, secrets, warnings } = read({ [name]: token });
    expect(faults).toEqual([expect.stringContaining(`\`${name}\` contains a space, a line break or`)]);
    expect(faults[0]).not.toMatch(/abc|äbc/);
    expect(warnings).toEqual([]);
    expect(secrets).toContain(token);
    expect([inputs.connection.apiToken, inputs.connection.githubToken]).not.toContain(token);
  });
});
