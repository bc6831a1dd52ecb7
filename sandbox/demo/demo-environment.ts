import { createEnvironment, type Environment } from '../environment.ts';
import type { LocalChange } from './local-change.ts';

/** What the demo prints when the fake service gets the first request of each kind. */
const STAGES: ReadonlyMap<string, string> = new Map([
  ['token', 'The action checks its configuration.'],
  ['scans.launch', 'The action launches a scan.'],
  ['scans.read', 'The fake service scans the change.'],
  ['findings.list', 'The action reads the findings, and delivers the results.'],
]);

/** Starts the fake service and the fake GitHub for a change in a local repository. */
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
      // The triage action uses the second token.
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
