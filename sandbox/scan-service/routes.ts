import type { Answer } from '../faults/interception.ts';
import type { Scope } from './options.ts';
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
  return { method, path, point, scope, handle };
}

/** Finds the route for a path after `/api/v1`, and decodes its parameters. */
export function matchRoute(
  method: string,
  path: string,
): { readonly route: Route; readonly params: Record<string, string> } | undefined {
  const sent = path.split('/');
  for (const candidate of ROUTES) {
    const params = candidate.method === method ? matchSegments(candidate.path.split('/'), sent) : undefined;
    if (params !== undefined) return { route: candidate, params };
  }
  return undefined;
}

function matchSegments(
  wanted: readonly string[],
  sent: readonly string[],
): Record<string, string> | undefined {
  if (wanted.length !== sent.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = sent[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? value !== segment : value === '') return undefined;
    if (name !== undefined) {
      const decoded = decode(value);
      if (decoded === undefined) return undefined;
      params[name] = decoded;
    }
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
