import type { Answer } from '../../faults/interception.ts';
import { showToken } from '../serializers.ts';
import type { Call } from '../state.ts';

export function readToken({ state, token }: Call): Answer {
  return { status: 200, body: showToken(state, token) };
}
