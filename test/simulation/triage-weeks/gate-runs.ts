import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import type { TestEnvironment } from '../../support/driver/environment.ts';

const GATE_PERMISSIONS = {
  contents: 'read',
  checks: 'write',
  'pull-requests': 'write',
  actions: 'none',
} as const;
const TRIAGE_PERMISSIONS = {
  contents: 'none',
  checks: 'read',
  'pull-requests': 'write',
  actions: 'write',
} as const;

/** The last run of the gate for the head. */
export interface GateRun {
  readonly id: number;
  readonly headSha: string;
  readonly payload: ReturnType<TestEnvironment['pullRequestPayload']>;
  readonly scanId: string;
  readonly endedAt: number;
}

/** Runs the workflow of the gate. Between these runs, the token has the permissions of the triage action. */
export interface GateRuns {
  /** The current run; undefined before the first push. */
  current(): GateRun | undefined;
  /** The attempt of the current run. */
  attempt(): number;
  /** True if a re-run was requested and has not ended. */
  isPending(): boolean;
  /** Starts a run for a push. */
  start(id: number, headSha: string): Promise<ActionRun>;
  /** Runs the job again if a re-run was requested. Otherwise, returns undefined. */
  runPending(): Promise<ActionRun | undefined>;
}

export function createGateRuns(environment: TestEnvironment): GateRuns {
  const { github } = environment;
  let gate: GateRun | undefined;
  const record = () => github.workflowRuns.all.find((run) => run.id === gate?.id);

  async function run({ id, headSha, payload }: Omit<GateRun, 'scanId' | 'endedAt'>, runAttempt: number) {
    Object.assign(github.permissions, GATE_PERMISSIONS);
    const ended = await environment.run({
      runId: id,
      runAttempt,
      event: { name: 'pull_request', payload },
    });
    await environment.pause(1_000);
    github.workflowRuns.complete(id, ended.exitCode === 0 ? 'success' : 'failure');
    Object.assign(github.permissions, TRIAGE_PERMISSIONS);
    // If this run scanned nothing, the scan of the previous run stays the current one.
    const scanId = ended.outputs['scan-id'] || (gate?.scanId ?? '');
    gate = { id, headSha, payload, scanId, endedAt: environment.date().getTime() };
    return ended;
  }

  const isPending = () => gate !== undefined && record()?.status !== 'completed';
  const attempt = () => record()?.attempt ?? 0;
  return {
    current: () => gate,
    attempt,
    isPending,
    start: (id, headSha) => {
      github.workflowRuns.put({ id, headSha, status: 'in_progress' });
      const payload = environment.pullRequestPayload({ headSha, action: 'synchronize' });
      return run({ id, headSha, payload }, 1);
    },
    runPending: async () => (gate !== undefined && isPending() ? run(gate, attempt()) : undefined),
  };
}
