import { planBase } from '../preflight/planned-base.ts';
import { parametersFault } from '../preflight/preflight.ts';
import { refuseTwoGuidances } from '../preflight/stored-guidance.ts';
import type { InputReading } from '../runner/inputs.ts';
import type { LaunchParameters } from '../scan-api/wire-writes.ts';
import { error, errorOf, ok, type Row, warning } from './row.ts';

const FIX_INPUT = 'Fix the input in the workflow of the gate, and here.';
const FIX_OPTION =
  'Fix the option of the same name, such as `--base-url`, and the input in the workflow of the gate.';

/** Rows about the inputs alone. @param headSha a commit to use as the head; empty if there is none */
export function inputRows(
  { inputs, faults, missing, warnings }: InputReading,
  parameters: LaunchParameters,
  headSha: string,
  isCommandLine: boolean,
): readonly Row[] {
  const fix = isCommandLine ? FIX_OPTION : FIX_INPUT;
  const stops = [
    parametersFault(parameters),
    refuseTwoGuidances(inputs.setup.guidanceFile, parameters),
    headSha === '' ? undefined : baseFault(),
  ];
  const rows = [
    ...[...faults, ...missing].map((sentence) => error('Inputs', sentence, 'Workflow maintainer', fix)),
    ...(inputs.connection.apiToken === '' ? [isCommandLine ? NO_TOKEN_VARIABLE : NO_TOKEN] : []),
    ...stops.flatMap((failure) =>
      failure === undefined ? [] : [errorOf('Inputs', failure, 'Workflow maintainer')],
    ),
    ...warnings.map((sentence) => warning('Inputs', sentence, 'Workflow maintainer', fix)),
  ];
  return rows.length > 0 ? rows : [ok('Inputs', 'All inputs are valid.')];

  function baseFault() {
    const planned = planBase(headSha, inputs.setup.baseSha, parameters);
    return planned.ok ? undefined : planned.error;
  }
}

const NO_TOKEN = error(
  'Inputs',
  '`api-token` is empty.',
  'Workflow maintainer',
  'Check that the secret exists and its name matches. Run the doctor on `workflow_dispatch`: on pull requests from forks and Dependabot, GitHub can withhold secrets.',
);
const NO_TOKEN_VARIABLE = error(
  'Inputs',
  'There is no token for the service.',
  'Workflow maintainer',
  'Set the environment variable `SCANGATE_API_TOKEN` to the API token of the project.',
);
