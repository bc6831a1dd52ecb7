import { CHOSEN_NAMES } from '../../src/scan-api/wire-writes.ts';
import { CHANGE_COMMANDS } from '../../src/triage/command.ts';
import { candidatesOf, FAKE_ONLY, LAUNCH, RESOLUTION, USES } from './action-names.ts';
import { NO_ENDPOINT, type Verdict } from './compare.ts';

const READS = 'the action does not find it: one row in src/scan-api/wire.ts';
const TRIAGES = 'the triage action uses it: src/scan-api/triage-api.ts';
const SENDS = 'the action sends it: src/scan-api/wire-writes.ts';
const CALLS = 'the action calls it: src/scan-api/client.ts';

/**
 * The enum values that the action knows. The key is the source file in which they are. The action does not interpret
 * any other value.
 */
export const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  'src/domain/scan.ts': ['COMPLETED', 'FAILED', 'CANCELLED'],
  'src/domain/finding.ts': [
    ...['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'],
    ...['POC', 'RESOLVED', 'WONT_FIX', 'MITIGATED', 'FALSE_POSITIVE', 'DUPLICATE'],
  ],
  'src/domain/verdict.ts': ['ANALYSIS'],
  'src/scan-api/wire.ts': ['CONFIRMED', 'PENDING'],
  'src/scan/launch.ts': ['ready'],
  'src/scan-api/repository-entry.ts': ['ACTIVE'],
};

/** The members of a launch that `launch-parameters` can rename. The value of `baseCommit` is new for each change. */
const { baseSha: _, ...chosen } = CHOSEN_NAMES;
const RENAMABLE = Object.values<string>(chosen);

/** Says what a wrong name means for the action, and where to fix it. Empty if nothing has to be done. */
export function remedyOf({ state, endpoint, place, name, note }: Verdict): string {
  if (state === 'confirmed' || state === 'read anyway') return '';
  const isOutside = place === 'endpoint' || place === 'query';
  // The row of the missing endpoint has a remedy already, so the rows of its names need none.
  if (note === NO_ENDPOINT.note && !isOutside) return '';
  const { [endpoint]: use } = USES;
  const [member = '', word] = name.split('=');
  const isUsed =
    place === 'request' ? use?.sends?.includes(member) : candidatesOf(endpoint, member).length > 0;
  if (use === undefined || !(isOutside || isUsed)) return FAKE_ONLY;
  if (endpoint === RESOLUTION)
    return word === undefined || Object.values<string>(CHANGE_COMMANDS).includes(word) ? TRIAGES : FAKE_ONLY;
  if (isOutside) return CALLS;
  if (place === 'request') {
    if (endpoint !== LAUNCH || !RENAMABLE.includes(name)) return SENDS;
    return state === 'wrong'
      ? `the action sends it in another form: launch-parameters ${JSON.stringify({ [name]: '…' })}`
      : `the action sends it: find its name, then launch-parameters ${JSON.stringify({ [name]: null, NAME: '…' })}`;
  }
  if (member.startsWith('finding.notes')) return TRIAGES;
  if (word === undefined) return READS;
  const [home] = Object.entries(KNOWN_VALUES).find(([, values]) => values.includes(word)) ?? [];
  return home === undefined ? FAKE_ONLY : `the action knows this word: ${home}`;
}
