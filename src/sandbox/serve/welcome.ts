import { CONTRACT_PATH } from '../scan-service/process-request.ts';
import type { ScanService } from '../scan-service/scan-service.ts';

/** What is printed when the stand-in listens: how to talk to it, and what it is not. Read by people and by scripts. */
export function welcome({ origin, baseUrl, token, project, repositories }: ScanService): string {
  const projectUrl = `${baseUrl}/projects/${project.id}`;
  const curl = `curl -sS -H 'Authorization: Bearer ${token}'`;
  return [
    'The stand-in of the scanning service listens. It is no real scanner: its small analyzer knows a',
    'few kinds of flaw in JavaScript and TypeScript, and credentials in any text file.',
    '',
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
    'Ctrl-C ends it.',
  ].join('\n');
}
