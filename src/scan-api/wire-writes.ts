import { createHash } from 'node:crypto';
import { type ForeignRecord, firstOf, type Reader, text, whole } from './lookup.ts';

/** What a launch says. An undefined member is left out. */
export interface LaunchFields {
  readonly repositoryId: string | undefined;
  readonly presetRef: string | undefined;
  /** Whole credits to reserve. */
  readonly creditBudget: number | undefined;
  readonly baseCommit: string | undefined;
  /** The commit to scan. That the service calls it so is an assumption. */
  readonly commit: string | undefined;
}

/** What a launch says beside the commits, as far as a scan may show it again. */
export interface LaunchScope {
  /** Keys of audit areas. */
  readonly areas: readonly string[];
  /** SHA-256 of the guidance text, hexadecimal; undefined: none is sent. */
  readonly guidance: string | undefined;
}

/** A launch body, ready to be sent. */
export type LaunchBody = ForeignRecord;

/** The fields under the service's names; `launchParameters` merged last, a null there removes a field. */
export function launchBody(fields: Partial<LaunchFields>, launchParameters: ForeignRecord = {}): LaunchBody {
  const members = Object.entries({ ...fields, ...launchParameters });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== null));
}

/** The fields that a merged body really sends; undefined where it has none, or something else in its place. */
export function readLaunchBody(body: LaunchBody): LaunchFields {
  return {
    repositoryId: firstOf(body, ['repositoryId'], text),
    presetRef: firstOf(body, ['presetRef'], text),
    creditBudget: firstOf(body, ['creditBudget'], whole(0)),
    baseCommit: firstOf(body, ['baseCommit'], text),
    commit: firstOf(body, ['commit'], text),
  };
}

/** The fields of the scope. */
export const LAUNCH_SCOPE_FIELDS = ['auditAreaKeys', 'guidance'] as const;

/** The scope that a merged body asks for. */
export function readLaunchScope(body: LaunchBody): LaunchScope {
  const { auditAreaKeys = [], guidance } = scopeFields(body);
  return { areas: auditAreaKeys, guidance: guidance === undefined ? undefined : hashOfText(guidance) };
}

function scopeFields(body: LaunchBody) {
  return {
    auditAreaKeys: firstOf(body, ['auditAreaKeys'], keyList),
    guidance: firstOf(body, ['guidance'], anyText),
  };
}

const keyList: Reader<readonly string[]> = (value) => {
  if (!Array.isArray(value)) return undefined;
  const keys = value.flatMap((item: unknown) => text(item) ?? []);
  return keys.length === value.length ? keys : undefined;
};

/** The empty text too: it takes the place of the guidance that the repository has. */
const anyText: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);

/** SHA-256, hexadecimal. */
export function hashOfText(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The fields of a merged body that no check can read, by name. `commit` is not among them: its form is assumed anyway. */
export function unreadableFields(body: LaunchBody): string[] {
  const { commit: _, ...checked } = readLaunchBody(body);
  return Object.entries({ ...checked, ...scopeFields(body) }).flatMap(([name, value]) =>
    value === undefined && Object.hasOwn(body, name) ? [name] : [],
  );
}

export function publishBody(gated: boolean): ForeignRecord {
  return { withPassword: gated };
}
