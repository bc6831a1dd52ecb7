import { CONTRACT_PATH } from '../scan-service/process-request.ts';
import type { FakeScanService } from '../scan-service/server.ts';

/**
 * Makes the text that is printed when the fake service has started. It says how to call the service, and names the
 * limits of the service. People and scripts read it.
 * @param moved the previous port of the service, if that port can no longer be used
 * @param ignored the options that have no effect, because the data folder keeps their values
 */
export function banner(service: FakeScanService, moved?: number, ignored: readonly string[] = []): string {
  const { origin, baseUrl, token, tokens, project, repositories, presets } = service;
  const projectUrl = `${baseUrl}/projects/${project.id}`;
  const curl = `curl -sS -H 'Authorization: Bearer ${token}'`;
  return [
    'The fake scanning service is running. It is not a real scanner: its small analyzer finds a few kinds',
    'of vulnerabilities in JavaScript and TypeScript, and credentials in any text file.',
    '',
    ...(moved === undefined ? [] : movedPortNotice(moved)),
    ...(ignored.length === 0 ? [] : ignoredNotice(ignored)),
    `base-url:   ${baseUrl}`,
    `api-token:  ${token}`,
    ...tokens.slice(1).map(moreTokenLine),
    `project-id: ${project.id}`,
    ...tokens.slice(0, 1).map(ceilingLine),
    `contract:   ${origin}${CONTRACT_PATH}`,
    `published:  ${origin}/public/scans/PUBLIC-ID and ${origin}/public/findings/PUBLIC-ID`,
    ...repositories.map(({ id, owner, name, gitDir }) => `repository: ${owner}/${name} (${id}), ${gitDir}`),
    '',
    'Try it:',
    '',
    `  ${curl} ${projectUrl}/repositories`,
    ...repositories.slice(0, 1).map(({ id }) => {
      const presetRef = presets.find(({ kind }) => kind === 'full')?.ref;
      const launch = JSON.stringify({ repositoryId: id, presetRef });
      return `  ${curl} -H 'Content-Type: application/json' -d '${launch}' ${projectUrl}/scans`;
    }),
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');
}

function moreTokenLine({ token }: FakeScanService['tokens'][number], index: number): string {
  return `token ${index + 2}:    ${token}`;
}

function ceilingLine({ requestCeiling }: FakeScanService['tokens'][number]): string {
  const { requests, windowSeconds } = requestCeiling;
  return `requests:   at most ${requests} in ${windowSeconds} seconds, then 429 (--request-ceiling)`;
}

function ignoredNotice(options: readonly string[]): string[] {
  return [
    `No effect: ${options.join(', ')}. The data folder keeps what an earlier start has set. To set it anew, use an`,
    'empty folder.',
    '',
  ];
}

function movedPortNotice(port: number): string[] {
  return [
    `The last port, ${port}, is not available: another program may be listening on it. The base URL and the links to`,
    `published pages have changed. To go back, stop the other program, then start with --port ${port}.`,
    '',
  ];
}
