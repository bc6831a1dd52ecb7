import { createHash } from 'node:crypto';
import type { Finding } from './finding.ts';

/** What a finding is recognized by. */
export interface FindingTraits {
  /** Short hash of the service's id; undefined where it gave none. */
  readonly id: string | undefined;
  /** Short hash of severity, title and file: lines move with every push. */
  readonly fingerprint: string;
  /** As in `Severity`. */
  readonly level: Finding['severity']['level'];
  /** The service's label; empty where it is not of the usual form. */
  readonly label: string;
}

/** What is remembered of a finding, short enough to be kept for hundreds of them. */
export interface KnownFinding extends FindingTraits {
  /** It blocked when it was reported. */
  readonly blocks: boolean;
}

/** 48 bits in base64url: among 500 findings a chance of 1 in 2 thousand million that two share one. */
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
