import type { Answer, Interception } from '../../../sandbox/faults/interception.ts';
import { isObject } from '../../../sandbox/json.ts';
import { faultKinds, type Side } from '../fault-kinds.ts';
import type { PlannedFault } from './plan.ts';

/**
 * A redirect to this address leaves the origin. Clients do not follow it, because a token must not leave its origin.
 */
const FOREIGN_ORIGIN = 'http://127.0.0.1:9';
const KINDS = new Map(faultKinds('write').map((kind) => [kind.name, kind]));

export interface Faulty {
  /** @param date the time of the request */
  intercept(side: Side, point: string, date: Date): Interception | undefined;
  /** True if the fault has happened. */
  readonly struck: () => boolean;
}

/** Makes requests of one command fail as planned. */
export function faulty(planned: PlannedFault | undefined): Faulty {
  let seen = 0;
  let hidden = 0;
  return {
    struck: () => seen > (planned?.skip ?? 0),
    intercept(side, point, date) {
      if (planned?.name === 'shown late' && point === 'findings.read' && seen > 0 && hidden === 0) {
        hidden += 1;
        return { rewrite: withoutLastNote };
      }
      if (planned?.at !== `${side}:${point}`) return undefined;
      seen += 1;
      if (seen <= planned.skip || seen > planned.skip + planned.times) return undefined;
      if (planned.name === 'shown late') return { fault: 'reset-after' };
      const how = KINDS.get(planned.name)?.how;
      if (typeof how === 'function') return how(side, { foreignOrigin: FOREIGN_ORIGIN, date });
      return refusal(side, Number(planned.name));
    },
  };
}

const CODES: Readonly<Record<number, string>> = { 403: 'forbidden', 404: 'not_found', 409: 'conflict' };

function refusal(side: Side, status: number): Answer {
  const message = 'No.';
  return { status, body: side === 'service' ? { error: { code: CODES[status], message } } : { message } };
}

function withoutLastNote(answer: Answer): Answer {
  const finding = isObject(answer.body) ? answer.body['finding'] : undefined;
  if (!isObject(finding) || !Array.isArray(finding['notes'])) return answer;
  return { ...answer, body: { finding: { ...finding, notes: finding['notes'].slice(0, -1) } } };
}
