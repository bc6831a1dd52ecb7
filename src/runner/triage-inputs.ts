import { getInput, setSecret } from '@actions/core';
import { type InputSource, type Inputs, readInputs } from './inputs.ts';

/** The inputs of the triage action. */
export interface TriageInputs
  extends Pick<Inputs, 'baseUrl' | 'apiToken' | 'projectId' | 'githubToken' | 'checkName'> {
  /** The name of the gate's job; undefined where its run has no other. */
  readonly jobName: string | undefined;
}

export interface TriageReading {
  readonly inputs: TriageInputs;
  /** One line each. */
  readonly faults: readonly string[];
  readonly notices: readonly string[];
}

/** Those that the gate has too: the same words, defaults and checks. */
const SHARED: ReadonlySet<string> = new Set([
  'base-url',
  'api-token',
  'project-id',
  'github-token',
  'check-name',
]);

/** Reads and checks the inputs of the triage action. The tokens are masked first. */
export function readTriageInputs(source: InputSource = { getInput, setSecret }): TriageReading {
  const reading = readInputs('/', {
    getInput: (name) => (SHARED.has(name) ? source.getInput(name) : ''),
    setSecret: (secret) => source.setSecret(secret),
  });
  const { baseUrl, apiToken, projectId, githubToken, checkName } = reading.inputs;
  const jobName = source.getInput('job-name').trim() || undefined;
  const withheld = apiToken === '' ? [TOKEN_EMPTY] : [];
  return {
    inputs: { baseUrl, apiToken, projectId, githubToken, checkName, jobName },
    faults: [...reading.faults, ...reading.missing, ...withheld],
    notices: reading.notices,
  };
}

const TOKEN_EMPTY =
  '`api-token` is empty. Use the token of the gate. A fork has no secrets: disable this workflow there.';
