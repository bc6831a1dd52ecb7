export type Keys = Readonly<Record<string, unknown>>;

/** An expression as workflows write it. */
export const expression = (text: string) => `\${{ ${text} }}`;
/** A step that runs the gate. */
export const GATE = { uses: 'scangate/scangate@v0' };
const TYPES = { types: ['opened', 'synchronize', 'reopened', 'edited'] };
/** Makes the events of a workflow. Events of pull requests get the types that the documentation shows. */
export const on = (...events: readonly string[]) =>
  Object.fromEntries(events.map((event) => [event, /^pull_request(?:_target)?$/.test(event) ? TYPES : {}]));

/** Differences from the workflow of the quick start, which has the job `scangate` with one step. */
export interface GateWorkflow extends Keys {
  readonly on?: unknown;
  /** Keys of the job. */
  readonly job?: Keys;
  /** Keys of the step. */
  readonly step?: Keys;
  /** More jobs. */
  readonly jobs?: Readonly<Record<string, Keys>>;
}

/** Makes the workflow of the gate. */
export function gate({ on: events, job, step, jobs, ...keys }: GateWorkflow = {}): Keys {
  return {
    on: events ?? { pull_request: { ...TYPES, branches: ['main'] } },
    ...keys,
    jobs: { scangate: { 'runs-on': 'x', steps: [{ ...GATE, ...step }], ...job }, ...jobs },
  };
}

/** Makes a workflow file. A text in JSON is also YAML. */
export function workflowFile(name: string, workflow: Keys | string) {
  const text = typeof workflow === 'string' ? workflow : JSON.stringify(workflow);
  return { path: `.github/workflows/${name}`, text };
}
