import { createInputReader, type InputSource } from './input-forms.ts';
import { type ConnectionInputs, readCheckName, readConnection, usableToken } from './inputs.ts';

/** The inputs of the triage action. An input with the name of a gate input also has its default and its checks. */
export interface TriageInputs extends ConnectionInputs {
  readonly checkName: string;
  /** The name of the gate's job. Undefined if the input is empty. Then the gate's workflow must have only this job. */
  readonly jobName: string | undefined;
  /**
   * A token of the project with the scopes `read` and `findings:write`. If it is empty, comments cannot change
   * findings.
   */
  readonly triageToken: string;
  /**
   * Users whose comments may change findings. `writers`: all users with write access. `others`: only writers who did
   * not work on the pull request.
   */
  readonly who: 'others' | 'writers';
}

export interface TriageReading {
  readonly inputs: TriageInputs;
  /** The errors, one line each. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads and checks the inputs of the triage action. Masks the tokens before it reads anything else. */
export function readTriageInputs(source?: InputSource): TriageReading {
  const reader = createInputReader(source);
  const { connection, withoutToken, missing, warnings } = readConnection(reader);
  const triageToken = usableToken(reader, 'triage-token', reader.text('triage-token') ?? '');
  const given = reader.text('who');
  const isWho = given === 'others' || given === 'writers';
  const checkName = readCheckName(reader);
  const withheld = withoutToken ? [TOKEN_EMPTY] : [];
  const invalid = isWho || given === undefined ? [] : [WHO_INVALID];
  return {
    inputs: {
      ...connection,
      checkName,
      jobName: reader.text('job-name'),
      triageToken,
      who: isWho ? given : 'others',
    },
    faults: [...reader.faults, ...missing, ...withheld, ...invalid],
    warnings,
  };
}

const WHO_INVALID = '`who` is not valid. Use `others` or `writers`.';

const TOKEN_EMPTY =
  '`api-token` is empty. Use the token of the gate. A fork has no secrets: disable this workflow there.';
