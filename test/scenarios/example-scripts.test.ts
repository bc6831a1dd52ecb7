import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readExample } from '../project/examples.ts';
import { fileOf } from './run-example.ts';

/** The scripts need jq, which the runners of GitHub have. */
const HAS_JQ = spawnSync('jq', ['--version']).status === 0;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs the last script of an example with a fake `gh`.
 * @param answers what `gh` prints for a call that begins with these words
 * @returns the calls that change something on GitHub, and what the script printed
 */
function runScript(
  name: string,
  answers: Readonly<Record<string, unknown>>,
  files: Record<string, unknown> = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-script-'));
  folders.push(folder);
  const cases = Object.entries(answers).map(
    ([call, answer]) => `"${call}"*) echo '${JSON.stringify(answer)}';;`,
  );
  const gh = `#!/bin/bash\ncase "$*" in\n${cases.join('\n')}\n*) echo "$*" >> calls;;\nesac\n`;
  writeFileSync(path.join(folder, 'gh'), gh);
  chmodSync(path.join(folder, 'gh'), 0o755);
  for (const [file, content] of Object.entries(files))
    writeFileSync(path.join(folder, file), JSON.stringify(content));
  const step = Object.values(readExample(fileOf(name)).jobs)[0]?.steps.at(-1);
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', step?.run ?? 'exit 1'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      WORKFLOW: 'scangate.yml',
      REPORT: 'report.json',
      COUNTS: '{"CRITICAL":1,"HIGH":2}',
      RUN: 'https://github.example/runs/1',
    },
  });
  expect(status, stderr).toBe(0);
  const read = (file: string) => {
    try {
      return readFileSync(path.join(folder, file), 'utf8');
    } catch {
      return '';
    }
  };
  return { calls: read('calls').split('\n').filter(Boolean), stdout, issue: read('issue.md') };
}

describe.skipIf(!HAS_JQ)('the scripts of the examples', () => {
  test('rerun-unscanned.yml re-runs the newest run of each head, if it failed', () => {
    const runs = (databaseId: number, conclusion: string) => [{ databaseId, conclusion }];
    const list = 'run list --workflow scangate.yml --event pull_request --commit';
    const { calls } = runScript('rerun-unscanned', {
      'pr list': ['a', 'b', 'b', 'c', 'd'].map((headRefOid) => ({ headRefOid })),
      [`${list} a`]: runs(1, 'failure'),
      [`${list} b`]: runs(2, 'failure'),
      [`${list} c`]: runs(3, 'success'),
      [`${list} d`]: [],
    });
    expect(calls).toEqual(['run rerun 1 --failed', 'run rerun 2 --failed']);
  });

  const FINDINGS = [
    { label: 'ZK-0000000a', group: 'below', title: 'SQL injection in a.ts' },
    { label: 'ZK-0000000b', group: 'reported', title: 'Path traversal in b.ts' },
    { label: 'ZK-@octocat', group: 'reported', title: 'Not a label' },
    { label: 'ZK-0000000c', group: 'triaged', title: 'Closed' },
  ];
  const withIssues = (issues: readonly object[], findings: readonly object[]) =>
    runScript('rolling-issue', { 'issue list': issues }, { 'report.json': { findings } });

  test('rolling-issue.yml creates an issue with counts and labels, and no text of a finding', () => {
    const { calls, issue } = withIssues([], FINDINGS);
    expect(calls.at(-1)).toMatch(/^issue create .*--body-file issue\.md$/);
    expect(issue).toBe(
      '- CRITICAL: 1\n- HIGH: 2\n\nZK-0000000a ZK-0000000b\n\nRead the findings in the scanning service. [This run](https://github.example/runs/1) scanned them.\n',
    );
  });

  test('rolling-issue.yml updates the issue that is open, and closes it if no finding is open', () => {
    expect(withIssues([{ number: 7 }], FINDINGS).calls.at(-1)).toBe('issue edit 7 --body-file issue.md');
    expect(withIssues([{ number: 7 }], []).calls.at(-1)).toMatch(/^issue close 7 /);
    expect(withIssues([], []).calls).toEqual(['label create scangate --force']);
  });
});
