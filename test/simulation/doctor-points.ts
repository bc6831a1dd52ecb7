import type { Check } from '../../src/doctor/row.ts';
import type { Side } from './fault-kinds.ts';
import type { RequestPoint } from './request-points.ts';

/** A kind of request that the doctor sends. */
export interface DoctorPoint extends RequestPoint<string> {
  /** The row that shows the failure of the request. */
  readonly row: Check;
  /** True if the gate needs the answer. A failure of the request is then an error. */
  readonly isVital: boolean;
  /** True if GitHub can refuse the request although the setup is right. The doctor's row then says `Not checked`. */
  readonly canBeRefused?: boolean;
}

const LISTS = ['token'];

export const DOCTOR_POINTS: readonly DoctorPoint[] = [
  { ...at('service', 'token', []), onNewConnection: true, row: 'Address', isVital: true },
  { ...at('service', 'repositories', LISTS), row: 'Repository', isVital: true },
  { ...at('service', 'presets', LISTS), row: 'Preset', isVital: true },
  { ...at('service', 'scans.list', LISTS), row: 'Scan list', isVital: false },
  { ...at('service', 'findings.list', LISTS), row: 'Findings', isVital: true },
  { ...at('service', 'scans.read', ['scans.list']), row: 'Scan detail', isVital: true },
  { ...at('github', 'repository', []), onNewConnection: true, row: 'Comparison', isVital: true },
  { ...at('github', 'branch', ['repository']), row: 'Comparison', isVital: true },
  { ...at('github', 'rules', ['repository']), row: 'Required check', isVital: false },
  { ...at('github', 'compare', ['branch']), row: 'Comparison', isVital: true },
  { ...at('github', 'check.list', ['branch']), row: 'Check runs', isVital: true },
  { ...at('github', 'graphql', ['branch']), row: 'Merge queue', isVital: false, canBeRefused: true },
  { ...at('github', 'contents', ['branch']), row: 'Required check', isVital: false },
  {
    ...at('github', 'contents', ['contents']),
    name: 'contents of a workflow',
    which: (path) => path.includes('scangate.yml'),
    row: 'Required check',
    isVital: false,
  },
];

function at(side: Side, name: string, after: readonly string[]): RequestPoint<string> {
  return { name, side, access: 'read', at: name, after, head: 'medium' };
}
