import { createHash } from 'node:crypto';
import type { Finding } from './finding.ts';

/** The properties by which a finding is recognized in a later scan. */
export interface FindingTraits {
  /** A short hash of the service's id. Undefined if the service gave no id. */
  readonly id: string | undefined;
  /** A short hash of severity, title and file. It ignores line numbers, because they change with every push. */
  readonly fingerprint: string;
  readonly level: Finding['severity']['level'];
  /** The service's label. Empty if the label does not have the usual form. */
  readonly label: string;
}

/** A finding that an earlier run reported. The form is short, so that hundreds of findings fit into a comment. */
export interface KnownFinding extends FindingTraits {
  /** True if the finding blocked when it was reported. */
  readonly blocks: boolean;
}

/**
 * This length in base64url holds 48 bits. Two of 500 findings have the same hash with a probability of about 1 in 2
 * billion.
 */
const HASH_LENGTH = 8;
const LABEL = /^[\w-]{1,12}$/;

export function traitsOf({ id, severity, title, location, label }: Finding): FindingTraits {
  return {
    id: id === undefined ? undefined : shortHash(['id', id]),
    fingerprint: shortHash([severity.level, title, location?.path ?? '']),
    level: severity.level,
    label: LABEL.test(label) ? label : '',
  };
}

function shortHash(values: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, HASH_LENGTH);
}
