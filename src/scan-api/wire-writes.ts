import { type ForeignRecord, firstOf, text, whole } from './lookup.ts';

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

/** The fields of a merged body that no check can read, by name. `commit` is not among them: its form is assumed anyway. */
export function unreadableFields(body: LaunchBody): string[] {
  const { commit: _, ...checked } = readLaunchBody(body);
  return Object.entries(checked).flatMap(([name, value]) =>
    value === undefined && Object.hasOwn(body, name) ? [name] : [],
  );
}

export function publishBody(gated: boolean): ForeignRecord {
  return { withPassword: gated };
}
