import { decodeSegment } from '../decode-segment.ts';
import type { Answer } from '../faults/interception.ts';
import type { Scope } from './records.ts';
import type { Refusal } from './refusal.ts';
import { createAuditArea, deleteAuditArea, listAuditAreas } from './resources/audit-areas.ts';
import { listFindings, readFinding } from './resources/findings.ts';
import { readGuidance, writeGuidance } from './resources/guidance.ts';
import { launchScan } from './resources/launch.ts';
import { createNote, pinNote } from './resources/notes.ts';
import { listPresets, listRepositories, readToken } from './resources/project.ts';
import { publishFinding, publishScan } from './resources/publishing.ts';
import { changeResolution } from './resources/resolution.ts';
import { cancelScan, listScans, readScan } from './resources/scans.ts';
import type { Call } from './state.ts';

export interface Route {
  readonly method: string;
  /** The path after `/api/v1`. `{name}` stands for one segment. */
  readonly path: string;
  /** Matches the path. Its groups are the encoded segments. */
  readonly pattern: RegExp;
  /** The name by which tests and the interceptor know the route. */
  readonly point: string;
  /** Undefined if every valid token may use the route. */
  readonly scope: Scope | undefined;
  readonly handle: (call: Call) => Answer | Refusal | Promise<Answer | Refusal>;
}

const PROJECT = '/projects/{projectId}';
const FINDING = `${PROJECT}/findings/{findingId}`;
const REPOSITORY = `${PROJECT}/repositories/{repositoryId}`;

/** All endpoints of the contract. Each resource has a file of its own. */
export const ROUTES: readonly Route[] = [
  route('GET', '/token', 'token', undefined, readToken),
  route('GET', `${PROJECT}/repositories`, 'repositories', 'read', listRepositories),
  route('GET', `${REPOSITORY}/guidance`, 'guidance.read', 'read', readGuidance),
  route('PUT', `${REPOSITORY}/guidance`, 'guidance.write', 'guidance:write', writeGuidance),
  route('GET', `${REPOSITORY}/audit-areas`, 'areas.list', 'read', listAuditAreas),
  route('POST', `${REPOSITORY}/audit-areas`, 'areas.create', 'guidance:write', createAuditArea),
  route('DELETE', `${REPOSITORY}/audit-areas/{areaKey}`, 'areas.delete', 'guidance:write', deleteAuditArea),
  route('GET', `${PROJECT}/scan-presets`, 'presets', 'read', listPresets),
  route('GET', `${PROJECT}/scans`, 'scans.list', 'read', listScans),
  route('POST', `${PROJECT}/scans`, 'scans.launch', 'scans:launch', launchScan),
  route('GET', `${PROJECT}/scans/{scanId}`, 'scans.read', 'read', readScan),
  route('POST', `${PROJECT}/scans/{scanId}/cancel`, 'scans.cancel', 'scans:launch', cancelScan),
  route('POST', `${PROJECT}/scans/{scanId}/publish`, 'scans.publish', 'publish', publishScan),
  route('GET', `${PROJECT}/findings`, 'findings.list', 'read', listFindings),
  route('GET', FINDING, 'findings.read', 'read', readFinding),
  route('POST', `${FINDING}/notes`, 'notes.create', 'findings:write', createNote),
  route('POST', `${FINDING}/notes/{noteId}/pin`, 'notes.pin', 'findings:write', pinNote),
  route('PATCH', `${FINDING}/resolution`, 'findings.resolution', 'findings:write', changeResolution),
  route('POST', `${FINDING}/publish`, 'findings.publish', 'publish', publishFinding),
];

function route(
  method: string,
  path: string,
  point: string,
  scope: Scope | undefined,
  handle: Route['handle'],
): Route {
  const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return { method, path, pattern, point, scope, handle };
}

/** Finds the route for a path after `/api/v1`, and decodes its parameters. */
export function matchRoute(method: string, path: string) {
  for (const candidate of ROUTES) {
    const match = candidate.method === method ? candidate.pattern.exec(path) : null;
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeSegment(value)]);
    if (params.every(([, value]) => value !== undefined))
      return { route: candidate, params: Object.fromEntries(params) };
  }
  return undefined;
}
