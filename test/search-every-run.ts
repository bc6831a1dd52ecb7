import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { vi } from 'vitest';

/**
 * Searches all that a run of the bundle wrote, for every secret that it was given or made, when it is over: no test has
 * to think of it. Loaded before every test file.
 */
vi.mock('../src/sandbox/stage.ts', async (original) => {
  const real = await original<typeof import('../src/sandbox/stage.ts')>();
  const { expectNothingLeaked } = await import('./scenarios/secrecy.ts');
  const setStage: typeof real.setStage = async (options) => {
    const stage = await real.setStage(options);
    return {
      ...stage,
      run: async (given = {}) => {
        const own = await mkdtemp(path.join(tmpdir(), 'scangate-searched-'));
        try {
          const {
            temp = await mkdtemp(path.join(own, 'temp-')),
            workspace = await mkdtemp(path.join(own, 'work-')),
          } = given;
          const run = await stage.run({ ...given, temp, workspace });
          const tokens = [stage.github.token, stage.service.token, given.inputs?.['api-token'] ?? ''];
          const secrets = tokens.filter((token) => token !== '');
          await expectNothingLeaked(stage, run, { secrets, folders: [temp, workspace] });
          return run;
        } finally {
          await rm(own, { recursive: true, force: true });
        }
      },
    };
  };
  return { ...real, setStage };
});
