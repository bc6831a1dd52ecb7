import type { SgNode } from '@ast-grep/napi';
import { isChecked, valuesBehind } from '../checks.ts';
import { type RequestSource, requestSource } from '../request-source.ts';
import type { CodeMatch } from './code-rule.ts';

/**
 * Reports request data in a dangerous call. Undefined if the argument has no request data, or if the code checks the
 * data before the call.
 */
export function fromRequest(
  argument: SgNode,
  source: RequestSource | undefined,
  place: string,
): CodeMatch | undefined {
  if (source === undefined || isChecked(argument)) return undefined;
  const text = `${place} comes from the request (${source.text}), and nothing before it checks it.`;
  const ofRequest = (value: SgNode) => requestSource(value) !== undefined;
  return { nodes: valuesBehind(argument, ofRequest), proof: { kind: 'ANALYSIS', text } };
}
