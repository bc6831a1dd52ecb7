import { CONTRACT_PATH } from '../scan-service/process-request.ts';
import type { ScanService } from '../scan-service/scan-service.ts';

/**
 * What is printed when the stand-in listens: how to talk to it, and what it is not. Read by people and by scripts.
 * @param moved the port of the last time, where another program has it now
 */
export function welcome(service: ScanService, moved?: number): string {
  const { origin, baseUrl, token, project, repositories } = service;
  const projectUrl = `${baseUrl}/projects/${project.id}`;
  const curl = `curl -sS -H 'Authorization: Bearer ${token}'`;
  return [
    'The fake scanning service is running. It is not a real scanner: its small analyzer finds a few kinds',
    'of vulnerabilities in JavaScript and TypeScript, and credentials in any text file.',
    '',
    ...(moved === undefined ? [] : movedWords(moved)),
    `base-url:   ${baseUrl}`,
    `api-token:  ${token}`,
    `project-id: ${project.id}`,
    `contract:   ${origin}${CONTRACT_PATH}`,
    `published:  ${origin}/public/scans/PUBLIC-ID and ${origin}/public/findings/PUBLIC-ID`,
    ...repositories.map(({ id, owner, name, gitDir }) => `repository: ${owner}/${name} (${id}), ${gitDir}`),
    '',
    'Try it:',
    '',
    `  ${curl} ${projectUrl}/repositories`,
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');
}

function movedWords(port: number): string[] {
  return [
    `The last port, ${port}, is not available: another program may be listening on it. The base URL and the links to`,
    `published pages have changed. To go back, stop the other program, then start with --port ${port}.`,
    '',
  ];
}
