import path from 'node:path';
import { SEVERITY_LEVELS } from '../domain/finding.ts';
import type { PathPatterns } from '../domain/path-patterns.ts';
import { isCommitId, type ScanKind } from '../domain/target.ts';
import { EVIDENCE_LEVELS, type GatePolicy } from '../domain/verdict.ts';
import {
  BASE_URL_FORM,
  createInputReader,
  type InputReader,
  type InputSource,
  isInside,
  quote,
  readBaseUrl,
  readFailOn,
  readObject,
  readPathsExempt,
  readPathsUnscanned,
  readReasons,
  readRepositoryPath,
} from './input-forms.ts';

/** The inputs for the connections to the service and to GitHub. */
export interface ConnectionInputs {
  /** Ends with `/api/v1`, without a trailing slash. Empty if the input is invalid or missing. */
  readonly baseUrl: string;
  /** Empty if the input is not set or not valid, or if GitHub withheld the secret. */
  readonly apiToken: string;
  readonly projectId: string | undefined;
  /** Empty if the input is not set or not valid. */
  readonly githubToken: string;
}

export interface ConnectionReading {
  readonly connection: ConnectionInputs;
  /** True if `api-token` is not set, or if GitHub withheld the secret. */
  readonly withoutToken: boolean;
  /** One line for each empty required input. An empty input is a fault, unless GitHub withholds the secrets. */
  readonly missing: readonly string[];
  /** Sentences about inputs that are unusual, but valid. */
  readonly warnings: readonly string[];
}

/** Our choice. GitHub documents no limit, and shows the name of a check run on one line. */
const LONGEST_CHECK_NAME = 100;
/** Our choice. The note stands under every report, so it is short. */
const LONGEST_NOTE = 500;
/**
 * Our choice. The part of a token after its last underscore is also masked if it has this many characters or more.
 * Masking a shorter part would hide other text.
 */
const SHORTEST_SECRET = 8;

/** Reads the inputs for the connections. Call this before any other reader, because it masks the tokens. */
export function readConnection(reader: InputReader): ConnectionReading {
  const { raw, text, faultOf } = reader;
  const given = { api: raw('api-token'), github: raw('github-token') };
  const apiToken = usableToken(reader, 'api-token', given.api);
  const githubToken = usableToken(reader, 'github-token', given.github);
  if (given.github === '') faultOf('github-token')("is empty. Remove it to use the workflow's own token.");
  const givenUrl = text('base-url');
  const baseUrl = givenUrl === undefined ? '' : readBaseUrl(givenUrl, faultOf('base-url'));
  const isOdd = apiToken !== '' && !/_proj_[^_]+_./.test(apiToken);
  return {
    connection: { baseUrl, apiToken, projectId: text('project-id'), githubToken },
    withoutToken: given.api === '',
    missing: givenUrl === undefined ? [`\`base-url\` is empty. Use ${BASE_URL_FORM}.`] : [],
    warnings: isOdd ? [ODD_TOKEN] : [],
  };
}

const ODD_TOKEN =
  '`api-token` does not look like a project API token (`…_proj_<keyId>_<secret>`). Check the secret.';

/** Reads the name of the check run. Later runs also use this name to find the comment and the marks. */
export function readCheckName({ withDefault, faultOf }: InputReader): string {
  return oneLine(withDefault('check-name'), LONGEST_CHECK_NAME, faultOf('check-name'));
}

function oneLine(given: string, longest: number, fault: ReturnType<InputReader['faultOf']>): string {
  if (given.length > longest || /\p{Cc}/u.test(given))
    fault(`is too long or not one line. Use one line of at most ${longest} characters.`);
  return given.slice(0, longest);
}

/**
 * Masks a token, and its part after the last underscore. Reports a token that an HTTP header cannot contain.
 * @returns the token; empty if it is not usable
 */
export function usableToken({ mask, faultOf }: InputReader, name: string, token: string): string {
  for (const secret of [token, secretPart(token)]) mask(secret);
  if (!/[^!-~]/.test(token)) return token;
  faultOf(name)(
    'contains a space, a line break or another character that no token has. Check how it was stored.',
  );
  return '';
}

function secretPart(token: string): string {
  const part = token.slice(token.lastIndexOf('_') + 1);
  return part !== token && part.length >= SHORTEST_SECRET ? part : '';
}

/** The inputs that say what is scanned, and how. An optional text is undefined if its input is empty. */
export interface SetupInputs {
  readonly repositoryId: string | undefined;
  readonly preset: string | undefined;
  /** In whole credits, at least 1. */
  readonly creditBudget: number | undefined;
  /** A full commit id in lower case. */
  readonly baseSha: string | undefined;
  readonly launchParameters: Readonly<Record<string, unknown>>;
  /** A path in the repository, with `/` as the separator. */
  readonly guidanceFile: string | undefined;
  /** A change is not scanned if it touches only these paths. */
  readonly pathsUnscanned: PathPatterns;
  /** The forks that are scanned under `pull_request_target`. */
  readonly scanForks: 'trusted' | 'all' | 'none';
}

/** The inputs that say where the report is written. */
export interface DeliveryInputs {
  readonly checkName: string;
  readonly comment: 'always' | 'on-findings' | 'never';
  /** One line of Markdown. Empty if the input is empty. */
  readonly commentNote: string;
  readonly annotations: 'auto' | 'off';
  /** An absolute path inside the workspace. It differs from `reportFile`. Symbolic links are not resolved yet. */
  readonly sarifFile: string | undefined;
  /** An absolute path inside the workspace. Symbolic links are not resolved yet. */
  readonly reportFile: string | undefined;
}

/** The inputs that say whether the service publishes the scan. */
export interface PublishInputs {
  readonly when: 'never' | 'on-findings' | 'always';
  /** True if the page asks for a password. */
  readonly gated: boolean;
}

/** All inputs of the step, in groups for its stages. */
export interface Inputs {
  readonly connection: ConnectionInputs;
  readonly setup: SetupInputs;
  readonly policy: GatePolicy;
  readonly delivery: DeliveryInputs;
  readonly publish: PublishInputs;
  /** True if the run may use a scan of this change that an earlier run paid for. */
  readonly reuseScan: boolean;
  /** Undefined if the value of `TIMEOUT_MINUTES` applies. */
  readonly timeoutMinutes: number | undefined;
}

/**
 * The inputs, and all their errors. A default replaces an invalid input, so that the run can still report the errors.
 */
export interface InputReading extends Omit<ConnectionReading, 'connection'> {
  readonly inputs: Inputs;
  /** The errors, one line each. Each error also says how to correct the input. */
  readonly faults: readonly string[];
}

/**
 * The default of `timeout-minutes`. GitHub's own runners end a job after 360 minutes, so a full scan has a little less.
 */
export const TIMEOUT_MINUTES: Readonly<Record<ScanKind, number>> = { diff: 60, full: 350 };

/** GitHub's limit for a job on a self-hosted runner is five days. */
const LONGEST_TIMEOUT_MINUTES = 5 * 24 * 60;

/**
 * Reads and checks all inputs. Masks the tokens before it reads anything else.
 * @param workspace the absolute path of the job's workspace
 */
export function readInputs(workspace: string, source?: InputSource): InputReading {
  const reader = createInputReader(source);
  const { connection, ...about } = readConnection(reader);
  const inputs: Inputs = {
    connection,
    setup: readSetup(reader),
    policy: readPolicy(reader),
    delivery: readDelivery(reader, workspace),
    publish: {
      when: reader.word('publish', ['never', 'on-findings', 'always']),
      gated: reader.word('publish-password', ['true', 'false']) === 'true',
    },
    reuseScan: reader.word('reuse-scan', ['true', 'false']) === 'true',
    timeoutMinutes: reader.wholeNumber('timeout-minutes', LONGEST_TIMEOUT_MINUTES),
  };
  return { ...about, inputs, faults: reader.faults };
}

function readSetup({ text, word, wholeNumber, faultOf }: InputReader): SetupInputs {
  const baseSha = text('base-commit')?.toLowerCase();
  if (baseSha !== undefined && !isCommitId(baseSha)) {
    faultOf('base-commit')(`is ${quote(baseSha)}. Use a full commit SHA of 40 or 64 hexadecimal digits.`);
  }
  return {
    repositoryId: text('repository-id'),
    preset: text('preset'),
    creditBudget: wholeNumber('credit-budget', Number.MAX_SAFE_INTEGER),
    baseSha,
    launchParameters: readObject(text('launch-parameters'), faultOf('launch-parameters')),
    guidanceFile: readRepositoryPath(text('guidance-file'), faultOf('guidance-file')),
    pathsUnscanned: readPathsUnscanned(text('paths-unscanned'), faultOf('paths-unscanned')),
    scanForks: word('scan-forks', ['trusted', 'all', 'none']),
  };
}

function readPolicy({ text, withDefault, word, faultOf }: InputReader): GatePolicy {
  const evidence = word('fail-on-evidence', EVIDENCE_LEVELS);
  const failOn = readFailOn(withDefault('fail-on'), evidence, faultOf('fail-on'));
  return {
    severityThreshold: word('severity-threshold', SEVERITY_LEVELS),
    failOn,
    allowUnscanned: readReasons(withDefault('allow-unscanned'), faultOf('allow-unscanned')),
    pathsExempt: readPathsExempt(text('paths-exempt'), failOn, faultOf('paths-exempt')),
  };
}

function readDelivery(reader: InputReader, workspace: string): DeliveryInputs {
  const { text, word, faultOf } = reader;
  const file = (name: string): string | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    if (isInside(workspace, given)) return path.resolve(workspace, given);
    faultOf(name)(`is ${quote(given)}. Use a path inside the workspace.`);
    return undefined;
  };
  let [sarifFile, reportFile] = [file('sarif-file'), file('report-file')];
  if (sarifFile !== undefined && sarifFile === reportFile) {
    [sarifFile, reportFile] = [undefined, undefined];
    faultOf('sarif-file')('and `report-file` are the same file. Use two different paths.');
  }
  return {
    checkName: readCheckName(reader),
    comment: word('comment', ['always', 'on-findings', 'never']),
    commentNote: oneLine(text('comment-note') ?? '', LONGEST_NOTE, faultOf('comment-note')),
    annotations: word('annotations', ['auto', 'off']),
    sarifFile,
    reportFile,
  };
}
