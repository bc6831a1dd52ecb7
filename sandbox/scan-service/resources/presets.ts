import type { Answer } from '../../faults/interception.ts';
import { showPreset } from '../serializers.ts';
import type { Call } from '../state.ts';

export function listPresets({ state }: Call): Answer {
  return { status: 200, body: { presets: state.presets.map((preset) => showPreset(state, preset)) } };
}
