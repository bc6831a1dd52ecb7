import type { CollaboratorPermission } from '../../../sandbox/github/route.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import type { TestEnvironment } from '../../support/driver/environment.ts';
import type { CommitKind, Person } from './cast.ts';
import type { Faulty } from './faults.ts';
import type { GateRun } from './gate-runs.ts';
import type { Comment, Plan } from './plan.ts';

/** What the plan and the fake servers show while a command runs. */
export interface Truth {
  readonly environment: TestEnvironment;
  readonly who: Plan['who'];
  readonly gate: GateRun;
  readonly commits: readonly CommitKind[];
  readonly roleOf: (person: Person) => CollaboratorPermission;
  readonly isOpen: boolean;
  /** True if a re-run was requested and has not ended. */
  readonly isPending: boolean;
  /** The findings in the scan of the head. */
  readonly findingIds: readonly string[];
}

/** A command as a user wrote it, and what the triage action did. */
export interface Asked {
  readonly comment: Comment;
  readonly commentId: number;
  readonly writtenAt: number;
  readonly body: string;
  /** The full ids of the findings that the command names. `wrong`: labels that name no finding of the scan. */
  readonly named: readonly string[];
  readonly wrong: readonly string[];
  readonly run: ActionRun;
  readonly fault: Faulty;
  readonly from: { readonly service: number; readonly reactions: number; readonly replies: string };
  readonly ledger: Ledgers;
  readonly attempt: { readonly before: number; readonly after: number };
}

export interface Ledger {
  readonly spent: number;
  readonly reserved: number;
  readonly balance: number;
  readonly scans: number;
}

export interface Ledgers {
  readonly before: Ledger;
  readonly after: Ledger;
}

export function ledgerOf({ service }: TestEnvironment): Ledger {
  return { ...service.ledger(), scans: service.scans().length };
}
