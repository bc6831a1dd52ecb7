import { type ConnectionInputs, readCheckName, readConnection } from './connection-inputs.ts';
import { createInputReader, type InputSource } from './input-reader.ts';

/** The inputs of the triage action: those that the gate has too have the same words, defaults and checks. */
export interface TriageInputs extends ConnectionInputs {
  readonly checkName: string;
  /** The name of the gate's job; undefined where its run has no other. */
  readonly jobName: string | undefined;
}

export interface TriageReading {
  readonly inputs: TriageInputs;
  /** One line each. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads and checks the inputs of the triage action. The tokens are masked first. */
export function readTriageInputs(source?: InputSource): TriageReading {
  const reader = createInputReader(source);
  const { connection, missing, warnings } = readConnection(reader);
  const checkName = readCheckName(reader);
  const withheld = connection.apiToken === '' ? [TOKEN_EMPTY] : [];
  return {
    inputs: { ...connection, checkName, jobName: reader.text('job-name') },
    faults: [...reader.faults, ...missing, ...withheld],
    warnings,
  };
}

const TOKEN_EMPTY =
  '`api-token` is empty. Use the token of the gate. A fork has no secrets: disable this workflow there.';
