import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';

export type RunnerFile = 'GITHUB_OUTPUT' | 'GITHUB_STATE' | 'GITHUB_STEP_SUMMARY';

/** Gives the running test one of the runner's files. Returns a function that reads it. */
export function runnerFile(name: RunnerFile): () => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-runner-file-'));
  const file = path.join(folder, name);
  writeFileSync(file, '');
  vi.stubEnv(name, file);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => readFileSync(file, 'utf8');
}

/** Hides the output of the running test from the terminal. Returns a function that reads it line by line. */
export function printed(): () => string[] {
  const chunks: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    chunks.push(String(chunk));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return () =>
    chunks
      .join('')
      .split('\n')
      .filter((line) => line !== '');
}
