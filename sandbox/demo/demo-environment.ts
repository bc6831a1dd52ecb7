import { createEnvironment, type Environment } from '../environment.ts';
import type { LocalChange } from './local-change.ts';

/** What the user reads while the action runs, keyed by the request that starts each step. */
const STAGES: ReadonlyMap<string, string> = new Map([
  ['token', 'The action checks its configuration.'],
  ['scans.launch', 'The action launches a scan.'],
  ['scans.read', 'The fake service scans the change.'],
  ['findings.list', 'The action reads the findings, and delivers the results.'],
]);

/** The fake service and the fake GitHub, with a change of a local repository. */
export function createDemoEnvironment(
  { directory, repository, baseRef, baseSha, headSha }: LocalChange,
  onProgress: (stage: string) => void = () => {},
): Promise<Environment> {
  return createEnvironment({
    directory,
    repository,
    baseRef,
    headSha,
    service: {
      credits: 1000,
      // The second one is for the triage action.
      tokens: [{}, { scopes: ['read', 'findings:write'] }],
      intercept: ({ point, count }) => {
        const stage = count === 1 ? STAGES.get(point) : undefined;
        if (stage !== undefined) onProgress(stage);
        return undefined;
      },
      onScanFailure: (_, reason) => onProgress(`The scan failed. ${reason}`),
    },
    github: { branches: { [baseRef]: baseSha } },
  });
}
