import { describe, expect, test } from 'vitest';
import { OUTPUT_NAMES } from '../../../src/deliver/outputs.ts';
import { matchesPath } from '../../../src/domain/path-patterns.ts';
import { failOnAt } from '../../../src/domain/verdict.ts';
import { type InputReading, readInputs } from '../../../src/runner/inputs.ts';

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

test('valid inputs have no error, and empty inputs have their defaults', () => {
  const { inputs, faults, warnings } = read({});
  expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
  expect(inputs).toMatchObject({
    connection: { baseUrl: 'https://scan.example/api/v1' },
    setup: { scanForks: 'trusted', creditBudget: undefined, launchParameters: {} },
    policy: { severityThreshold: 'medium', failOn: failOnAt('high'), allowUnscanned: [], pathsExempt: [] },
    delivery: { annotations: 'auto', checkName: 'Security scan', comment: 'on-findings' },
    publish: { when: 'never', gated: true },
    timeoutMinutes: undefined,
    reuseScan: true,
  });
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

test('all errors are reported together, each with its input and how to correct it', () => {
  const { faults } = read({
    'fail-on': 'hihg',
    comment: 'sometimes',
    'timeout-minutes': '0',
    'credit-budget': '1.5',
    'reuse-scan': 'no',
    'scan-forks': 'everybody',
  });
  expect(faults).toHaveLength(6);
  expect(faults.join('\n')).toMatch(
    /`fail-on` is `hihg`\. Use one of: critical, high, medium, low, info, none/,
  );
  expect(faults.join('\n')).toMatch(/`comment` .*always, on-findings, never/);
  expect(faults.join('\n')).toMatch(/`timeout-minutes` .*whole number, from 1/);
  expect(faults.join('\n')).toMatch(/`credit-budget` .*whole number/);
  expect(faults.join('\n')).toMatch(/`reuse-scan` is `no`\. Use one of: true, false/);
  expect(faults.join('\n')).toMatch(/`scan-forks` is `everybody`\. Use one of: trusted, all, none/);
});

describe('comment-note', () => {
  const note = (given: string) => {
    const { inputs, faults } = read({ 'comment-note': given });
    return { faults, note: inputs.delivery.commentNote };
  };

  test('the input `comment-note` is one line of Markdown, and is empty by default', () => {
    const given = 'Ask **#appsec**, or read [our policy](https://intranet.example/appsec).';
    expect(note(given)).toEqual({ faults: [], note: given });
    expect(note('x'.repeat(500))).toEqual({ faults: [], note: 'x'.repeat(500) });
    expect(note('')).toEqual({ faults: [], note: '' });
  });

  test.each([
    ['of 501 characters', 'x'.repeat(501)],
    ['of two lines', 'one\ntwo'],
    ['with a carriage return', 'one\rtwo'],
  ])('a note %s is an error, and is reported together with the others', (_what, given) => {
    expect(note(given).faults).toEqual([
      '`comment-note` is too long or not one line. Use one line of at most 500 characters.',
    ]);
    expect(read({ 'comment-note': given, 'check-name': given, comment: 'x' }).faults).toHaveLength(3);
  });
});

test('the input `fail-on-evidence` applies to entries of `fail-on` that have no evidence', () => {
  const { faults, inputs } = read({ 'fail-on': 'critical, high:poc', 'fail-on-evidence': 'confirmed' });
  expect(faults).toEqual([]);
  expect(inputs.policy.failOn).toEqual({
    rules: [
      { severity: 'critical', evidence: 'confirmed' },
      { severity: 'high', evidence: 'poc' },
    ],
    defaultEvidence: 'confirmed',
  });
});

describe('paths-exempt', () => {
  const exempts = (given: string, path: string, inputs: Record<string, string> = {}) => {
    const reading = read({ 'paths-exempt': given, ...inputs });
    return { faults: reading.faults, exempt: matchesPath(reading.inputs.policy.pathsExempt, path) };
  };

  test('the input `paths-exempt` has one pattern per line', () => {
    expect(exempts('docs/**\n!docs/api/**\n', 'docs/a.md')).toEqual({ faults: [], exempt: true });
    expect(exempts('docs/**\n!docs/api/**\n', 'docs/api/a.md')).toEqual({ faults: [], exempt: false });
    expect(exempts('', 'a')).toEqual({ faults: [], exempt: false });
  });

  test.each([
    [
      'two patterns on one line',
      'docs/**, test/**',
      '`paths-exempt` contains `docs/**, test/**`. Write one pattern per line. For a comma',
    ],
    ['a `/` at the start', '/docs/**', '`paths-exempt` contains `/docs/**`. Remove the `/` at the start.'],
    [
      'only an exception',
      '!docs/**',
      '`paths-exempt` contains `!docs/**`. Write a pattern without `!` before it.',
    ],
    ['201 patterns', 'a\n'.repeat(201), '`paths-exempt` is too long. Use at most 200 patterns.'],
    [
      'the pattern `**`',
      '**',
      '`paths-exempt` matches files of any name in any folder, so that no finding could block.',
    ],
    [
      'the patterns `*` and `**/*`',
      '*\n**/*',
      '`paths-exempt` matches files of any name in any folder, so that no finding could block.',
    ],
  ])('the input `paths-exempt` is an error, and exempts nothing, if it has %s', (_what, given, sentence) => {
    const { faults, exempt } = exempts(given, 'docs/a.md');
    expect(faults).toEqual([expect.stringContaining(sentence)]);
    expect(exempt).toBe(false);
  });

  test('the errors about `paths-exempt` name every wrong pattern', () => {
    expect(exempts('[a\ndocs/**\nb/', 'docs/a').faults).toHaveLength(2);
  });

  test('the input `paths-exempt` accepts `**` only with an exception, or if no finding can block', () => {
    expect(exempts('**', 'a', { 'fail-on': 'none' })).toEqual({ faults: [], exempt: true });
    expect(exempts('**\n!team/**', 'a')).toEqual({ faults: [], exempt: true });
    expect(exempts('**', 'a', { 'fail-on': 'nome' })).toMatchObject({
      faults: [{}, {}].map(() => expect.any(String)),
      exempt: false,
    });
  });
});

test('the error about `publish-password` does not show the value', () => {
  expect(read({ 'publish-password': 'hunter2secret' }).faults).toEqual([
    '`publish-password` is wrong. Use one of: true, false.',
  ]);
});

test('a misspelt value of `fail-on` is an error, and is never read as `none`', () => {
  for (const word of ['nome', 'None ', 'off', 'false', 'NONE,high', '0']) {
    const { faults, inputs } = read({ 'fail-on': word });
    if (inputs.policy.failOn.rules.length === 0) expect(word.trim().toLowerCase()).toBe('none');
    else expect(faults, word).toHaveLength(1);
  }
});

test.each([
  ['false', false],
  ['FALSE', false],
  ['true', true],
  ['', true],
])('the input `reuse-scan: %j` is read as %s', (given, reuseScan) => {
  expect(read({ 'reuse-scan': given })).toMatchObject({ faults: [], inputs: { reuseScan } });
});

describe('base-url', () => {
  test.each([
    ['https://scan.example/api/v1', 'https://scan.example/api/v1'],
    ['https://scan.example/api/v1/', 'https://scan.example/api/v1'],
    ['https://scan.example:8443/deep/api/v1', 'https://scan.example:8443/deep/api/v1'],
    ['http://127.0.0.1:3000/api/v1', 'http://127.0.0.1:3000/api/v1'],
    ['http://localhost/api/v1', 'http://localhost/api/v1'],
    ['http://[::1]:9/api/v1', 'http://[::1]:9/api/v1'],
  ])('the input `base-url: %s` is read as %s', (given, baseUrl) => {
    const reading = read({ 'base-url': given });
    expect(reading.faults).toEqual([]);
    expect(reading.inputs.connection.baseUrl).toBe(baseUrl);
  });

  test('an empty `base-url` is listed in `missing`, and not in `faults`', () => {
    const { faults, missing, inputs } = read({ 'base-url': ' ' });
    expect({ faults, baseUrl: inputs.connection.baseUrl }).toEqual({ faults: [], baseUrl: '' });
    expect(missing).toEqual([expect.stringMatching(/^`base-url` is empty\. Use an https/)]);
    expect(read({}).missing).toEqual([]);
  });

  test.each([
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
  ])('the input `base-url: %s` is refused, and the error shows no password', (given) => {
    const { faults } = read({ 'base-url': given });
    expect(faults).toHaveLength(1);
    expect(faults[0]).not.toContain('hunter22');
  });
});

describe('paths-unscanned', () => {
  const unscanned = (given: string, path: string) => {
    const { faults, inputs } = read({ 'paths-unscanned': given });
    return { faults, unscanned: matchesPath(inputs.setup.pathsUnscanned, path) };
  };

  test('the input `paths-unscanned` has one pattern per line', () => {
    expect(unscanned('docs/**\n*.md\n', 'docs/a.txt')).toEqual({ faults: [], unscanned: true });
    expect(unscanned('docs/**\n!docs/api/**', 'docs/api/a.md')).toEqual({ faults: [], unscanned: false });
    expect(unscanned('', 'a')).toEqual({ faults: [], unscanned: false });
  });

  test.each([
    ['/docs/**', '`paths-unscanned` contains `/docs/**`. Remove the `/` at the start.'],
    ['docs/**, *.md', '`paths-unscanned` contains `docs/**, *.md`. Write one pattern per line.'],
    ['**', '`paths-unscanned` matches files of any name in any folder, so that no change would be scanned.'],
    ['*.md\n**/*', '`paths-unscanned` matches files of any name in any folder'],
  ])('the value %j of `paths-unscanned` is an error, and matches nothing', (given, sentence) => {
    const read = unscanned(given, 'docs/a.md');
    expect(read).toEqual({ faults: [expect.stringContaining(sentence)], unscanned: false });
  });
});

describe('allow-unscanned', () => {
  test.each([
    ['none', []],
    ['', []],
    ['missing-token', ['missing-token']],
    ['missing-token, timeout', ['missing-token', 'timeout']],
    ['missing-token\n  rate-limited\n', ['missing-token', 'rate-limited']],
    ['unsupported-event', ['unsupported-event']],
    ['superseded', ['superseded']],
  ])('the input `allow-unscanned: %j` is read as the reasons %j', (given, reasons) => {
    const { faults, inputs } = read({ 'allow-unscanned': given });
    expect(faults).toEqual([]);
    expect(inputs.policy.allowUnscanned).toEqual(reasons);
  });

  test('the error about `paths` in `allow-unscanned` names the input `paths-unscanned`', () => {
    expect(read({ 'allow-unscanned': 'timeout, paths' })).toMatchObject({
      faults: [
        expect.stringMatching(
          /^`allow-unscanned` contains `paths`, which the input `paths-unscanned` allows by itself\. Use none, or any of: .*superseded, unsupported-event\.$/,
        ),
      ],
      inputs: { policy: { allowUnscanned: ['timeout'] } },
    });
  });

  test.each(['configuration', 'missing-token, none', 'everything', 'missing_token'])(
    'the value `%s` of `allow-unscanned` is an error',
    (given) => {
      expect(read({ 'allow-unscanned': given }).faults).not.toEqual([]);
    },
  );
});

describe('guidance-file', () => {
  test.each([
    ['', undefined],
    [' .github/security-guidance.md ', '.github/security-guidance.md'],
    ['GUIDANCE', 'GUIDANCE'],
    ['docs/für uns/..a.md', 'docs/für uns/..a.md'],
  ])('the input `guidance-file` accepts the value %j', (given, guidanceFile) => {
    expect(read({ 'guidance-file': given })).toMatchObject({
      faults: [],
      inputs: { setup: { guidanceFile } },
    });
  });

  test.each([
    '/etc/passwd',
    './a.md',
    '../a.md',
    'a/../b.md',
    'a//b.md',
    'a/',
    'a\\b.md',
    'a\nb.md',
    '.',
    '..',
  ])('the input `guidance-file` refuses the value %j', (given) => {
    const { faults, inputs } = read({ 'guidance-file': given });
    expect(faults).toEqual([
      expect.stringMatching(/^`guidance-file` is `[^`]+`\. Use the path of a file in the/s),
    ]);
    expect(inputs.setup.guidanceFile).toBeUndefined();
  });
});

describe('launch-parameters', () => {
  test('the input `launch-parameters` is read as a JSON object', () => {
    expect(
      read({ 'launch-parameters': '{"commit": null, "branch": "x"}' }).inputs.setup.launchParameters,
    ).toEqual({
      commit: null,
      branch: 'x',
    });
  });

  test.each(['[]', 'null', '"x"', '1', '{', 'commit: x'])(
    'the value `%s` of `launch-parameters` is an error',
    (given) => {
      expect(read({ 'launch-parameters': given }).faults).toHaveLength(1);
    },
  );
});

describe('base-commit', () => {
  test('the input `base-commit` accepts a full id, in upper or lower case', () => {
    expect(read({ 'base-commit': 'A'.repeat(40) }).inputs.setup.baseSha).toBe('a'.repeat(40));
    expect(read({ 'base-commit': 'b'.repeat(64) }).faults).toEqual([]);
  });

  test.each(['main', 'abc1234', `${'a'.repeat(40)} `.repeat(2), '-'.repeat(40)])(
    'the value `%s` of `base-commit` is an error',
    (given) => {
      expect(read({ 'base-commit': given }).faults).toHaveLength(1);
    },
  );
});

describe.each([
  ['report-file', 'reportFile'],
  ['sarif-file', 'sarifFile'],
] as const)('%s', (name, member) => {
  test(`the input \`${name}\` accepts a path inside the workspace`, () => {
    expect(read({ [name]: 'out/report.json' }).inputs.delivery[member]).toBe(
      '/home/runner/work/out/report.json',
    );
    expect(read({ [name]: '/home/runner/work/r.json' }).faults).toEqual([]);
    expect(read({ [name]: '..report.json' }).faults).toEqual([]);
  });

  test.each(['../report.json', '/etc/passwd', 'a/../../x', '.', '/home/runner/work-2/x'])(
    `the input \`${name}\` refuses the path %j`,
    (given) => {
      expect(read({ [name]: given }).faults).toHaveLength(1);
    },
  );
});

test('no two files can have the same path', () => {
  const files = OUTPUT_NAMES.filter((name) => name.endsWith('-file'));
  const pairs = files.flatMap((one, index) => files.slice(index + 1).map((other) => [one, other] as const));
  expect(pairs).not.toEqual([]);
  for (const [one, other] of pairs)
    expect(read({ [one]: 'scan.out', [other]: 'scan.out' }).faults, `${one}, ${other}`).toHaveLength(1);
});

test('the SARIF file and the JSON report cannot have the same path in two spellings', () => {
  const { faults } = read({ 'sarif-file': 'out/../scan.json', 'report-file': './scan.json' });
  expect(faults).toEqual([expect.stringContaining('`sarif-file` and `report-file` are the same file')]);
  expect(read({ 'sarif-file': 'scan.sarif', 'report-file': 'scan.json' }).faults).toEqual([]);
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

test('only an empty `api-token` counts as missing', () => {
  expect([read({ 'api-token': '' }), read({ 'api-token': 'a b' }), read({})]).toMatchObject([
    { withoutToken: true },
    { withoutToken: false },
    { withoutToken: false },
  ]);
});

test('a token of an unusual form causes only a warning', () => {
  const { faults, warnings } = read({ 'api-token': 'ghp_0123456789' });
  expect(faults).toEqual([]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).not.toContain('0123456789');
});

test('an empty `api-token` is not an input error', () => {
  expect(read({ 'api-token': '' }).faults).toEqual([]);
});
