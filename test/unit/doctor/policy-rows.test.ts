import { describe, expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { expression, look, ON, STEP } from './look.ts';
import { gitHubError, requires } from './sample-facts.ts';

const gate = (inputs: Readonly<Record<string, string>>, on = ON) =>
  `${on}jobs:\n  scangate:\n${STEP}        with:\n${Object.entries(inputs)
    .map(([name, value]) => `          ${name}: ${value}\n`)
    .join('')}`;
const aboutPolicy = (files: string, languages = ok(['Python', 'HTML'])) => {
  const { rows, last } = look({ files, github: { languages } });
  return { rows: rows.filter((row) => row.includes(' Policy: ')), last };
};

describe('a policy that lets changes pass', () => {
  test.each([
    [
      'reports only',
      { 'fail-on': 'none' },
      ['`scangate` has `fail-on: none`: it reports only, and no finding blocks.'],
    ],
    ['has an input in capital letters', { 'Fail-On': 'none' }, [expect.stringContaining('reports only')]],
    [
      'allows reasons of authors and forks',
      {
        'allow-unscanned':
          'missing-token, untrusted-fork, scan-failed, timeout, service-error, insufficient-credits, rate-limited, superseded',
      },
      [
        '`scangate` allows `scan-failed`, `timeout`, `service-error`, `insufficient-credits`, `rate-limited`, `superseded`. The author of a pull request can cause these reasons, and so pass without a scan.',
        '`scangate` allows `missing-token`. Any fork can cause this reason, and so pass without a scan.',
      ],
    ],
    [
      'exempts all paths',
      { 'fail-on': 'none', 'paths-exempt': "'**'" },
      [
        expect.stringContaining('reports only'),
        '`paths-exempt` of `scangate` matches every file: no finding blocks.',
      ],
    ],
    [
      'scans no path',
      { 'paths-unscanned': "'**'" },
      ['`paths-unscanned` of `scangate` matches every file: no change is scanned.'],
    ],
    [
      'exempts a language',
      { 'paths-exempt': "'**/*.py'" },
      ['`paths-exempt` of `scangate` matches every file of Python: findings in them never block.'],
    ],
    [
      'does not scan a language',
      { 'paths-unscanned': '"docs/**\\n**.py"' },
      [
        '`paths-unscanned` of `scangate` matches every file of Python: a change of such files alone is not scanned.',
      ],
    ],
  ])('the doctor warns about a gate that %s', (_what, inputs, texts) => {
    const { rows, last } = aboutPolicy(gate(inputs));
    expect(rows.map((row) => row.replace(/^warning Policy: /, ''))).toEqual(texts);
    expect(last).toBe(
      `Ready, but the policy lets changes pass: 0 errors, ${texts.length === 1 ? '1 warning' : '2 warnings'}.`,
    );
  });

  test('on `pull_request_target`, a fork causes `untrusted-fork`, and only Dependabot causes `missing-token`', () => {
    const reasons = { 'allow-unscanned': 'missing-token, untrusted-fork' };
    const { rows } = aboutPolicy(gate(reasons, 'on: pull_request_target\n'));
    expect(rows).toEqual([
      expect.stringMatching(/^warning Policy: `scangate` allows `untrusted-fork`\. Any fork/),
    ]);
  });
});

describe('a policy that blocks', () => {
  const BLOCKS = 'ok Policy: `scangate` blocks on `high`, and allows no reason that an author can cause.';
  test.each([
    ['no inputs', {}, BLOCKS],
    [
      'reasons that no author can cause',
      { 'allow-unscanned': 'initializing, launch-unknown, unsupported-event' },
      BLOCKS,
    ],
    ['paths in a folder', { 'paths-exempt': "'test/**/*.py'", 'paths-unscanned': "'docs/**'" }, BLOCKS],
    ['a language without the files of a folder', { 'paths-exempt': '"**/*.py\\n!src/**"' }, BLOCKS],
    ['a language that the repository does not have', { 'paths-exempt': "'**/*.go'" }, BLOCKS],
    ['markup', { 'paths-exempt': "'**/*.html'" }, BLOCKS],
    ['a list', { 'fail-on': 'critical, high:confirmed' }, BLOCKS.replace('high', 'critical, high:confirmed')],
    [
      'an expression',
      { 'fail-on': expression('vars.FAIL_ON') },
      'skipped Policy: Not checked: `fail-on` of `scangate` is an expression.',
    ],
  ])('the doctor does not warn about a gate with %s', (_what, inputs, row) => {
    const { rows, last } = aboutPolicy(gate(inputs));
    expect(rows).toEqual([row]);
    expect(last).toBe('Ready: 0 errors, 0 warnings.');
  });

  test('a job that reports only does not count if another required job blocks', () => {
    const files = `${gate({ 'fail-on': 'none' })}  strict:\n${STEP}`;
    const { rows } = look({ files, rules: [requires('scangate', 'strict')] });
    expect(rows.filter((row) => row.includes(' Policy: '))).toEqual([BLOCKS.replace('scangate', 'strict')]);
  });

  test('a step that runs on other events only does not count', () => {
    const second = `      - uses: scangate/scangate@v0\n        if: github.event_name == 'schedule'\n        with: { fail-on: none }\n`;
    expect(aboutPolicy(gate({}) + second).rows).toEqual([BLOCKS]);
  });

  test('the doctor says that it did not check the languages if GitHub does not show them', () => {
    const languages = {
      ok: false,
      error: { ...gitHubError('forbidden'), permission: 'metadata: read' },
    } as const;
    const { rows } = look({ files: gate({ 'paths-exempt': "'**/*.py'" }), github: { languages } });
    expect(rows).toContain('skipped Policy: Not checked: grant `metadata: read`.');
  });
});
