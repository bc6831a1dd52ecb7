import type { Answer } from '../../faults/interception.ts';
import { showToken } from '../wire.ts';
import type { Call } from '../world.ts';

export function readToken({ world, token }: Call): Answer {
  return { status: 200, body: showToken(world, token) };
}
