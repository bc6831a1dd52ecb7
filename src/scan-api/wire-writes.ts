import { createHash } from 'node:crypto';
import type { ChosenScan } from '../domain/scan.ts';
import { type ForeignRecord, firstOf, type Reader, text, whole } from './lookup.ts';

/** The fields of a launch that Scangate knows. */
export interface LaunchFields {
  readonly repositoryId: string | undefined;
  readonly presetRef: string | undefined;
  /** The number of whole credits to reserve. */
  readonly creditBudget: number | undefined;
  readonly baseSha: string | undefined;
  /** The full id of the commit to scan. */
  readonly headSha: string | undefined;
  /** The keys of audit areas. */
  readonly areas: readonly string[] | undefined;
  /** The text of the guidance. An empty text replaces the guidance that the service stores for the repository. */
  readonly guidance: string | undefined;
}

type LaunchField = keyof LaunchFields;

/**
 * The service's names of the fields. `commit` for the head is an assumption, because the contract does not document it.
 */
export const CHOSEN_NAMES = {
  repositoryId: 'repositoryId',
  presetRef: 'presetRef',
  creditBudget: 'creditBudget',
  baseSha: 'baseCommit',
  headSha: 'commit',
} as const satisfies Record<keyof ChosenScan, string>;

export const LAUNCH_NAMES: Readonly<Record<LaunchField, string>> = {
  ...CHOSEN_NAMES,
  areas: 'auditAreaKeys',
  guidance: 'guidance',
};

/** The input `launch-parameters`, parsed. */
export interface LaunchParameters {
  /** The input as it was given. The launch contains every field of the input that is not null. */
  readonly given: ForeignRecord;
  /** The known fields that the input sets, if their values can be read. */
  readonly sets: LaunchFields;
  /** The known fields that the input removes by null. */
  readonly removes: ReadonlySet<LaunchField>;
  /** The known fields that the input sets to a value of the wrong type. */
  readonly unreadable: ReadonlySet<LaunchField>;
}

export function readLaunchParameters(given: ForeignRecord): LaunchParameters {
  const removes = new Set<LaunchField>();
  const unreadable = new Set<LaunchField>();
  const read = <T>(field: LaunchField, reader: Reader<T>): T | undefined => {
    const name = LAUNCH_NAMES[field];
    const value = firstOf(given, [name], reader);
    if (given[name] === null) removes.add(field);
    else if (value === undefined && Object.hasOwn(given, name)) unreadable.add(field);
    return value;
  };
  const sets = {
    repositoryId: read('repositoryId', text),
    presetRef: read('presetRef', text),
    creditBudget: read('creditBudget', whole(0)),
    baseSha: read('baseSha', text),
    headSha: read('headSha', text),
    areas: read('areas', keyList),
    guidance: read('guidance', anyText),
  };
  return { given, sets, removes, unreadable };
}

/**
 * Returns what the launch sends for a field: the value that the run chose, unless `launch-parameters` sets or removes
 * the field.
 */
export function sentValue<Field extends LaunchField>(
  { sets, removes }: LaunchParameters,
  field: Field,
  chosen: LaunchFields[Field],
): LaunchFields[Field] {
  return removes.has(field) ? undefined : (sets[field] ?? chosen);
}

export type LaunchBody = ForeignRecord;

/**
 * Builds the body of a launch from the chosen fields and `launch-parameters`, which overrides them. Null removes a
 * field.
 * @param guidance undefined if the run sends none
 */
export function launchBody(chosen: ChosenScan, given: ForeignRecord, guidance?: string): LaunchBody {
  const members = Object.entries({
    [CHOSEN_NAMES.repositoryId]: chosen.repositoryId,
    [CHOSEN_NAMES.presetRef]: chosen.presetRef,
    [CHOSEN_NAMES.creditBudget]: chosen.creditBudget,
    [CHOSEN_NAMES.baseSha]: chosen.baseSha,
    [CHOSEN_NAMES.headSha]: chosen.headSha,
    [LAUNCH_NAMES.guidance]: guidance,
    ...given,
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== null));
}

const keyList: Reader<readonly string[]> = (value) => {
  if (!Array.isArray(value)) return undefined;
  const keys = value.flatMap((item: unknown) => text(item) ?? []);
  return keys.length === value.length ? keys : undefined;
};

/** Reads any text, including an empty one. */
const anyText: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);

/** The SHA-256 of a text, hexadecimal. */
export function hashOfText(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

export function publishBody(gated: boolean): ForeignRecord {
  return { withPassword: gated };
}
