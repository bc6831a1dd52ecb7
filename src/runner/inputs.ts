import path from 'node:path';
import { getInput, setSecret } from '@actions/core';
import { EVIDENCE_LEVELS } from '../domain/fail-on.ts';
import type { PathPatterns } from '../domain/path-patterns.ts';
import { SEVERITY_LEVELS } from '../domain/severity.ts';
import { isCommitId, type ScanKind } from '../domain/target.ts';
import type { GatePolicy } from '../domain/verdict.ts';
import { readFailOn } from './fail-on-form.ts';
import {
  BASE_URL_FORM,
  isInside,
  quote,
  readBaseUrl,
  readObject,
  readReasons,
  readRepositoryPath,
} from './input-forms.ts';
import { readPathsExempt, readPathsUnscanned } from './paths-form.ts';

/** The step's inputs as a plain object. Optional texts are undefined where the input is empty. */
export interface Inputs {
  /** Without a trailing slash; ends in `/api/v1`. Empty where it is faulty or missing. */
  readonly baseUrl: string;
  /** Empty where GitHub withheld it, or where it is not set. */
  readonly apiToken: string;
  readonly projectId: string | undefined;
  readonly repositoryId: string | undefined;
  readonly githubToken: string;
  readonly preset: string | undefined;
  /** Whole credits, at least 1. */
  readonly creditBudget: number | undefined;
  /** A full commit id, lower case. */
  readonly baseSha: string | undefined;
  readonly launchParameters: Readonly<Record<string, unknown>>;
  /** A path in the repository, with `/`. */
  readonly guidanceFile: string | undefined;
  readonly policy: GatePolicy;
  /** A change that touches nothing else is not scanned. */
  readonly pathsUnscanned: PathPatterns;
  readonly annotations: 'auto' | 'off';
  readonly checkName: string;
  readonly comment: 'always' | 'on-findings' | 'never';
  readonly publish: 'never' | 'on-findings' | 'always';
  readonly publishPassword: boolean;
  /** Absolute, lexically inside the workspace; another file than `reportFile`. */
  readonly sarifFile: string | undefined;
  /** Absolute, lexically inside the workspace. */
  readonly reportFile: string | undefined;
  /** Undefined: `TIMEOUT_MINUTES`. */
  readonly timeoutMinutes: number | undefined;
  /** Follow or read a scan of this very change that an earlier run paid for. */
  readonly reuseScan: boolean;
  /** Whose forks are scanned under `pull_request_target`, where GitHub hands out the secrets. */
  readonly scanForks: 'trusted' | 'all' | 'none';
}

/** Inputs and every error found in them; an invalid input holds its default, so that the errors can still be shown. */
export interface InputReading {
  readonly inputs: Inputs;
  /** One line each, with the valid values. */
  readonly faults: readonly string[];
  /** Likewise, of what is empty: faults too, but where GitHub withholds what the workflow refers to. */
  readonly missing: readonly string[];
  /** Odd, but not wrong. */
  readonly notices: readonly string[];
}

/** The two calls of the toolkit that reading needs. */
export interface InputSource {
  getInput(name: string): string;
  setSecret(secret: string): void;
}

/** The defaults that `action.yml` declares: an input that is set to nothing means its default, never an open gate. */
export const INPUT_DEFAULTS = {
  'severity-threshold': 'medium',
  'fail-on': 'high',
  'fail-on-evidence': 'any',
  'allow-unscanned': 'none',
  annotations: 'auto',
  'check-name': 'Security scan',
  comment: 'on-findings',
  publish: 'never',
  'publish-password': 'true',
  'reuse-scan': 'true',
  'scan-forks': 'trusted',
} as const;

/** Where `timeout-minutes` is empty. A full scan has a little less than the longest job on GitHub's own runners. */
export const TIMEOUT_MINUTES: Readonly<Record<ScanKind, number>> = { diff: 60, full: 350 };

/** A check run's name is shown in one line; ours, as GitHub names no limit. */
const LONGEST_CHECK_NAME = 100;
/** Five days: the longest that GitHub lets a job run, on a self-hosted runner. */
const LONGEST_TIMEOUT_MINUTES = 5 * 24 * 60;
/** Below this the part after the last underscore is too short to be a secret, and masking it would mask other text. */
const SHORTEST_SECRET = 8;

/**
 * Reads and checks all inputs. The tokens are masked before anything else is looked at.
 * @param workspace absolute path of the job's workspace
 */
export function readInputs(workspace: string, source: InputSource = { getInput, setSecret }): InputReading {
  const apiToken = source.getInput('api-token');
  const githubToken = source.getInput('github-token');
  for (const secret of [apiToken, secretPart(apiToken), githubToken])
    if (secret !== '') source.setSecret(secret);

  const faults: string[] = [];
  const fault = (name: string, sentence: string) => void faults.push(`\`${name}\` ${sentence}`);
  const text = (name: string) => source.getInput(name).trim() || undefined;
  const withDefault = (name: keyof typeof INPUT_DEFAULTS) => text(name) ?? INPUT_DEFAULTS[name];
  const word = <W extends string>(
    name: keyof typeof INPUT_DEFAULTS,
    legal: readonly W[],
    otherwise: W,
  ): W => {
    const given = withDefault(name);
    const found = legal.find((candidate) => candidate === given.toLowerCase());
    if (found === undefined) fault(name, `is ${quote(given)}. Use one of: ${legal.join(', ')}.`);
    return found ?? otherwise;
  };
  const wholeNumber = (name: string, given: string | undefined, most: number): number | undefined => {
    if (given === undefined) return undefined;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= 1 && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? '1 or more' : `from 1 to ${most}`;
    fault(name, `is ${quote(given)}. Use a whole number, ${range}.`);
    return undefined;
  };

  if (/[^!-~]/.test(apiToken)) {
    fault('api-token', 'contains spaces or line breaks. Check how the secret was stored.');
  }
  if (githubToken === '') fault('github-token', "is empty. Remove it to use the workflow's own token.");
  const givenUrl = text('base-url');
  const missing = givenUrl === undefined ? [`\`base-url\` is empty. Use ${BASE_URL_FORM}.`] : [];
  const baseUrl =
    givenUrl === undefined ? '' : readBaseUrl(givenUrl, (sentence) => fault('base-url', sentence));
  const checkName = withDefault('check-name');
  if (checkName.length > LONGEST_CHECK_NAME || /\p{Cc}/u.test(checkName)) {
    fault(
      'check-name',
      `is too long or not one line. Use one line of at most ${LONGEST_CHECK_NAME} characters.`,
    );
  }
  const baseSha = text('base-commit')?.toLowerCase();
  if (baseSha !== undefined && !isCommitId(baseSha)) {
    fault('base-commit', `is ${quote(baseSha)}. Use a full commit SHA of 40 or 64 hexadecimal digits.`);
  }
  const file = (name: string): string | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    if (!isInside(workspace, given)) fault(name, `is ${quote(given)}. Use a path inside the workspace.`);
    return path.resolve(workspace, given);
  };
  const [sarifFile, reportFile] = [file('sarif-file'), file('report-file')];
  if (sarifFile !== undefined && sarifFile === reportFile) {
    fault('sarif-file', 'and `report-file` are the same file. Use two different paths.');
  }

  const evidence = word('fail-on-evidence', EVIDENCE_LEVELS, 'any');
  const failOn = readFailOn(withDefault('fail-on'), evidence, (sentence) => fault('fail-on', sentence));

  const inputs: Inputs = {
    baseUrl,
    apiToken,
    githubToken,
    projectId: text('project-id'),
    repositoryId: text('repository-id'),
    preset: text('preset'),
    creditBudget: wholeNumber('credit-budget', text('credit-budget'), Number.MAX_SAFE_INTEGER),
    baseSha,
    launchParameters: readObject(text('launch-parameters'), (sentence) =>
      fault('launch-parameters', sentence),
    ),
    guidanceFile: readRepositoryPath(text('guidance-file'), (sentence) => fault('guidance-file', sentence)),
    policy: {
      severityThreshold: word('severity-threshold', SEVERITY_LEVELS, 'medium'),
      failOn,
      allowUnscanned: readReasons(withDefault('allow-unscanned'), (sentence) =>
        fault('allow-unscanned', sentence),
      ),
      pathsExempt: readPathsExempt(text('paths-exempt'), failOn, (sentence) =>
        fault('paths-exempt', sentence),
      ),
    },
    pathsUnscanned: readPathsUnscanned(text('paths-unscanned'), (sentence) =>
      fault('paths-unscanned', sentence),
    ),
    annotations: word('annotations', ['auto', 'off'], 'auto'),
    checkName: checkName.slice(0, LONGEST_CHECK_NAME),
    comment: word('comment', ['always', 'on-findings', 'never'], 'on-findings'),
    publish: word('publish', ['never', 'on-findings', 'always'], 'never'),
    publishPassword: word('publish-password', ['true', 'false'], 'true') === 'true',
    sarifFile,
    reportFile,
    timeoutMinutes: wholeNumber('timeout-minutes', text('timeout-minutes'), LONGEST_TIMEOUT_MINUTES),
    reuseScan: word('reuse-scan', ['true', 'false'], 'true') === 'true',
    scanForks: word('scan-forks', ['trusted', 'all', 'none'], 'trusted'),
  };
  const odd = apiToken !== '' && !/_proj_[^_]+_./.test(apiToken);
  return {
    inputs,
    faults,
    missing,
    notices: odd
      ? ['`api-token` does not look like a project API token (`…_proj_<keyId>_<secret>`). Check the secret.']
      : [],
  };
}

function secretPart(token: string): string {
  const part = token.slice(token.lastIndexOf('_') + 1);
  return part !== token && part.length >= SHORTEST_SECRET ? part : '';
}
