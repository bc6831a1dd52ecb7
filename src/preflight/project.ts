import type { NotScanned } from '../domain/not-scanned.ts';
import type { TokenInformation } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { isUsableId } from '../scan-api/opaque-id.ts';
import { foreignLine } from '../text/foreign-text.ts';

/**
 * Chooses the id of the project: the input, otherwise the project of the token. Returns an error if the id is missing
 * or invalid, or if the token belongs to another project.
 * @param given the input `project-id`; undefined if it is empty
 * @param token undefined if the token was not read or cannot be read
 */
export function chooseProject(
  given: string | undefined,
  token: Pick<TokenInformation, 'projectId'> | undefined,
): Result<string, NotScanned> {
  const shown = token?.projectId;
  if (given === undefined) return shown === undefined ? err(NOT_SHOWN) : ok(shown);
  if (!isUsableId(given)) return err(NOT_AN_ID);
  return shown === undefined || shown === given ? ok(given) : err(otherProject(shown, given));
}

const NOT_AN_ID: NotScanned = {
  reason: 'configuration',
  cause: '`project-id` is not a valid id.',
  nextStep: "Copy the id from the project's settings in the service, or remove the input. Then push.",
};

const NOT_SHOWN: NotScanned = {
  reason: 'configuration',
  cause: 'The service does not show which project `api-token` belongs to.',
  nextStep: "Set `project-id` to the project's id in the workflow and push.",
};

function otherProject(shown: string, given: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `\`api-token\` belongs to project \`${foreignLine(shown)}\`, but \`project-id\` is \`${foreignLine(given)}\`.`,
    nextStep:
      'Fix or remove `project-id` in the workflow and push, or update the secret with a token of that project.',
  };
}
