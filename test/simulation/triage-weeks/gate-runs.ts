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

/** The workflow of the gate. Between its runs, the token has the permissions of the triage action. */
export interface GateRuns {
  /** Undefined before the first push. */
  current(): GateRun | undefined;
  /** Of the current run. */
  attempt(): number;
  /** A re-run was asked for, and has not ended. */
  isPending(): boolean;
  /** A push starts a run. */
  start(id: number, headSha: string): Promise<ActionRun>;
  /** GitHub runs the job that was asked for; undefined where none was. */
  runPending(): Promise<ActionRun | undefined>;
}

export function createGateRuns(environment: TestEnvironment, wait: (ms: number) => Promise<void>): GateRuns {
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
    await wait(1_000);
    github.workflowRuns.complete(id, ended.exitCode === 0 ? 'success' : 'failure');
    Object.assign(github.permissions, TRIAGE_PERMISSIONS);
    // A run that scanned nothing leaves the result of the one before it.
    const scanId = ended.outputs['scan-id'] || (gate?.scanId ?? '');
    gate = { id, headSha, payload, scanId, endedAt: Date.now() };
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
