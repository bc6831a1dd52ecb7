import { createHash } from 'node:crypto';
import type { Finding } from './finding.ts';

/** The properties by which a finding is recognized in a later scan. */
export interface FindingTraits {
  /** Short hash of the service's id; undefined if the service gave none. */
  readonly id: string | undefined;
  /** Short hash of severity, title and file. Lines are not included, because they move with every push. */
  readonly fingerprint: string;
  /** As in `Severity`. */
  readonly level: Finding['severity']['level'];
  /** The service's label; empty if it has an unusual form. */
  readonly label: string;
}

/** A finding that was reported earlier, short enough that hundreds of them fit into a comment. */
export interface KnownFinding extends FindingTraits {
  /** It blocked when it was reported. */
  readonly blocks: boolean;
}

/** 48 bits in base64url. With 500 findings, the probability that two have the same hash is 1 in 2 thousand million. */
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
