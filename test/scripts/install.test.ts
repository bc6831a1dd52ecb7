import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('npm ci prints no warnings', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'scangate-install-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(file, path.join(directory, file));
  // npm warns of this unknown setting, unless `.npmrc` turns warnings off.
  const env = { ...process.env, npm_config_made_up_by_a_test: '1' };
  const args = ['ci', '--dry-run', '--offline'];
  const { status, stderr } = spawnSync('npm', args, { cwd: directory, encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
