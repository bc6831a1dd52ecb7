import { BASE_URL_FORM, readBaseUrl } from './input-forms.ts';
import type { InputReader } from './input-reader.ts';

/** The inputs for the connections to the service and to GitHub. */
export interface ConnectionInputs {
  /** Ends with `/api/v1`, without a trailing slash. Empty if the input is invalid or missing. */
  readonly baseUrl: string;
  /** Empty if the input is not set, or if GitHub withheld the secret. */
  readonly apiToken: string;
  readonly projectId: string | undefined;
  readonly githubToken: string;
}

export interface ConnectionReading {
  readonly connection: ConnectionInputs;
  /** One line for each empty required input. An empty input is a fault, unless GitHub withholds the secrets. */
  readonly missing: readonly string[];
  /** Sentences about inputs that are unusual, but valid. */
  readonly warnings: readonly string[];
}

/** Our choice. GitHub documents no limit, and shows the name of a check run on one line. */
const LONGEST_CHECK_NAME = 100;
/**
 * Our choice. The part of a token after its last underscore is also masked if it has this many characters or more.
 * Masking a shorter part would hide other text.
 */
const SHORTEST_SECRET = 8;

/** Reads the inputs for the connections. Call this before any other reader, because it masks the tokens. */
export function readConnection({ raw, text, faultOf, mask }: InputReader): ConnectionReading {
  const apiToken = raw('api-token');
  const githubToken = raw('github-token');
  checkToken({ mask, faultOf }, 'api-token', apiToken);
  mask(githubToken);
  if (githubToken === '') faultOf('github-token')("is empty. Remove it to use the workflow's own token.");
  const givenUrl = text('base-url');
  const baseUrl = givenUrl === undefined ? '' : readBaseUrl(givenUrl, faultOf('base-url'));
  const isOdd = apiToken !== '' && !/_proj_[^_]+_./.test(apiToken);
  return {
    connection: { baseUrl, apiToken, projectId: text('project-id'), githubToken },
    missing: givenUrl === undefined ? [`\`base-url\` is empty. Use ${BASE_URL_FORM}.`] : [],
    warnings: isOdd ? [ODD_TOKEN] : [],
  };
}

const ODD_TOKEN =
  '`api-token` does not look like a project API token (`…_proj_<keyId>_<secret>`). Check the secret.';

/** Reads the name of the check run. Later runs also use this name to find the comment and the marks. */
export function readCheckName({ withDefault, faultOf }: InputReader): string {
  const checkName = withDefault('check-name');
  if (checkName.length > LONGEST_CHECK_NAME || /\p{Cc}/u.test(checkName)) {
    faultOf('check-name')(
      `is too long or not one line. Use one line of at most ${LONGEST_CHECK_NAME} characters.`,
    );
  }
  return checkName.slice(0, LONGEST_CHECK_NAME);
}

/**
 * Masks a token of the service. Also masks its part after the last underscore. Reports a token that an HTTP header
 * cannot contain.
 */
export function checkToken(
  { mask, faultOf }: Pick<InputReader, 'mask' | 'faultOf'>,
  name: string,
  token: string,
): void {
  for (const secret of [token, secretPart(token)]) mask(secret);
  if (/[^!-~]/.test(token)) faultOf(name)('contains spaces or line breaks. Check how the secret was stored.');
}

function secretPart(token: string): string {
  const part = token.slice(token.lastIndexOf('_') + 1);
  return part !== token && part.length >= SHORTEST_SECRET ? part : '';
}
