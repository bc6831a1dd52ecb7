import { expect, test, vi } from 'vitest';
import { writeJobSummary } from '../../../src/deliver/place.ts';
import { runnerFile } from '../../support/runner-files.ts';

test('writeJobSummary adds text to the file of the runner', async () => {
  const summary = runnerFile('GITHUB_STEP_SUMMARY');
  await writeJobSummary('One.\n');
  await writeJobSummary('Two.\n');
  expect(summary()).toBe('One.\nTwo.\n');
});

test.each(['', '/nowhere/summary'])('writeJobSummary fails if the file of the runner is %j', async (file) => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', file);
  await expect(writeJobSummary('One.\n')).rejects.toThrow(file === '' ? 'GITHUB_STEP_SUMMARY' : 'ENOENT');
  vi.unstubAllEnvs();
});
