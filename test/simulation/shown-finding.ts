import type { Environment } from '../../sandbox/environment.ts';
import { isObject } from '../../sandbox/json.ts';

/** What the service shows of one finding. */
export interface ShownFinding {
  readonly resolution: string;
  readonly notes: readonly string[];
}

export async function readFinding(environment: Environment, id: string): Promise<ShownFinding> {
  const body = await read(environment, `findings/${id}`);
  const finding = isObject(body) && isObject(body['finding']) ? body['finding'] : {};
  const notes: readonly unknown[] = Array.isArray(finding['notes']) ? finding['notes'] : [];
  return {
    resolution: String(finding['resolutionStatus']),
    notes: notes.flatMap((note) => (isObject(note) ? [String(note['content'])] : [])),
  };
}

/** The notes that the command in this comment left. */
export function notesOf({ notes }: ShownFinding, commentId: number | undefined): readonly string[] {
  return notes.filter((note) => new RegExp(`#issuecomment-${commentId}$`, 'm').test(note));
}

const CLOSED = new Set(['FALSE_POSITIVE', 'WONT_FIX', 'MITIGATED', 'DUPLICATE']);
const BLOCKING = new Set(['HIGH', 'CRITICAL']);

/** How many findings of a scan block with `fail-on: high`. */
export async function countBlocking(environment: Environment, scanId: string): Promise<number> {
  const body = await read(environment, `findings?scanId=${scanId}&limit=100`);
  const items: readonly unknown[] = isObject(body) && Array.isArray(body['items']) ? body['items'] : [];
  return items.filter(
    (one) =>
      isObject(one) && BLOCKING.has(String(one['severity'])) && !CLOSED.has(String(one['resolutionStatus'])),
  ).length;
}

async function read({ service }: Environment, path: string): Promise<unknown> {
  const { baseUrl, token, project } = service;
  const answer = await fetch(`${baseUrl}/projects/${project.id}/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.json();
}
