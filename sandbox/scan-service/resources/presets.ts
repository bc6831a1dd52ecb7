import type { Answer } from '../../faults/interception.ts';
import { showPreset } from '../wire.ts';
import type { Call } from '../world.ts';

export function listPresets({ world }: Call): Answer {
  return { status: 200, body: { presets: world.presets.map((preset) => showPreset(world, preset)) } };
}
