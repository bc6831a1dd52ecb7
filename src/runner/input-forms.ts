import { isIPv4 } from 'node:net';
import path from 'node:path';
import { getInput, setSecret } from '@actions/core';
import { SEVERITY_LEVELS } from '../domain/finding.ts';
import { matchesEverything, type PathPatterns, readPathPatterns } from '../domain/path-patterns.ts';
import { ALLOWABLE_REASONS, type Reason } from '../domain/result.ts';
import {
  contradiction,
  EVIDENCE_LEVELS,
  type EvidenceLevel,
  FAIL_ON_NONE,
  type FailOn,
  type FailOnRule,
  failOnAt,
  normalRules,
} from '../domain/verdict.ts';

/** Receives what is wrong with an input. The text completes a sentence that begins with the input's name. */
type Fault = (sentence: string) => void;

export const BASE_URL_FORM =
  'an https URL ending in `/api/v1`, without user, query or fragment (http only for a loopback host)';

/**
 * Reads an https address that ends with `/api/v1`. Accepts http only for a loopback host. Returns the address without a
 * trailing slash, or an empty text if it is invalid.
 */
export function readBaseUrl(given: string, fault: Fault): string {
  const url = URL.parse(given);
  const sound =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(given) &&
    /\/api\/v1\/?$/.test(url.pathname);
  if (sound) return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  // The message omits the address, because it may contain a password.
  fault(`is not valid. Use ${BASE_URL_FORM}.`);
  return '';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}

/** Reads a JSON object. Returns an empty object if the input is empty or invalid. */
export function readObject(given: string | undefined, fault: Fault): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Invalid JSON is reported below, with the valid form.
  }
  fault('is not a JSON object. Use for example `{"commit": null, "commitSha": "…"}`.');
  return {};
}

/** Reads the path of a file in the repository. The path has `/` between its names, and no name is `.` or `..`. */
export function readRepositoryPath(given: string | undefined, fault: Fault): string | undefined {
  if (given === undefined) return undefined;
  const names = given.split('/');
  const sound = !/[\\\p{Cc}]/u.test(given) && names.every((name) => !['', '.', '..'].includes(name));
  if (sound) return given;
  fault(
    `is ${quote(given)}. Use the path of a file in the repository, for example \`.github/security-guidance.md\`.`,
  );
  return undefined;
}

/** The reasons that `allow-unscanned` does not accept, each with an explanation. */
const NOT_ALLOWABLE: ReadonlyMap<string, string> = new Map([
  ['configuration', ', which never passes'],
  ['paths', ', which the input `paths-unscanned` allows by itself'],
]);

/** Reads `none`, or reasons separated by commas or newlines. Reports unknown words. */
export function readReasons(given: string, fault: Fault): readonly Reason[] {
  const values = given
    .split(/[,\n]/)
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
  if (values.length === 1 && values[0] === 'none') return [];
  const reasons: Reason[] = [];
  for (const word of values) {
    const reason = ALLOWABLE_REASONS.find((candidate) => candidate === word);
    if (reason === undefined) {
      const why = NOT_ALLOWABLE.get(word) ?? '';
      fault(`contains ${quote(word)}${why}. Use none, or any of: ${ALLOWABLE_REASONS.join(', ')}.`);
    } else reasons.push(reason);
  }
  return reasons;
}

/**
 * True if the path is inside the folder. A relative path starts at the folder. Compares only the paths, and does not
 * read the disk.
 */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, path.resolve(folder, file));
  return (
    relative !== '' &&
    relative !== '..' &&
    !relative.startsWith(`..${path.sep}`) &&
    !path.isAbsolute(relative)
  );
}

/** Writes the given value as code. Cuts it if it is too long for a sentence. */
export function quote(value: string): string {
  const shown = value.replaceAll('`', "'");
  return `\`${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}\``;
}

/** The functions of the toolkit that read inputs and mask secrets. */
export interface InputSource {
  getInput(name: string): string;
  setSecret(secret: string): void;
}

/**
 * The defaults in `action.yml`. An empty input also gets its default, so that an expression with an empty value
 * cannot weaken the gate.
 */
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

type WithDefault = keyof typeof INPUT_DEFAULTS;

/** Reads inputs by name, and collects their errors. */
export interface InputReader {
  /** Returns the value as the runner gives it. Empty if the input is missing. */
  raw(name: string): string;
  /** Returns the value without white space at both ends. Undefined if nothing remains. */
  text(name: string): string | undefined;
  withDefault(name: WithDefault): string;
  /** Returns one of the legal words, or the default if the word is invalid. Ignores case. */
  word<N extends WithDefault, W extends string>(name: N, legal: readonly W[]): W | (typeof INPUT_DEFAULTS)[N];
  /** Returns a whole number from 1 to `most`. Undefined if the input is empty or invalid. */
  wholeNumber(name: string, most: number): number | undefined;
  /**
   * Returns a function that reports an error of this input. Its argument is a sentence without the subject, because the
   * input's name is the subject.
   */
  faultOf(name: string): Fault;
  /** Masks a secret in everything that the job prints from now on. */
  mask(secret: string): void;
  /** The errors, one line each. Each error also says how to correct the input. */
  readonly faults: readonly string[];
}

export function createInputReader(source: InputSource = { getInput, setSecret }): InputReader {
  const faults: string[] = [];
  const faultOf = (name: string) => (sentence: string) => void faults.push(`\`${name}\` ${sentence}`);
  const text = (name: string) => source.getInput(name).trim() || undefined;
  const withDefault = (name: WithDefault) => text(name) ?? INPUT_DEFAULTS[name];
  return {
    raw: (name) => source.getInput(name),
    text,
    withDefault,
    word: (name, legal) => {
      const given = withDefault(name);
      const found = legal.find((candidate) => candidate === given.toLowerCase());
      // The check run shows this error. Users may have set `publish-password` to a password, so the error omits the
      // value.
      const shown = name === 'publish-password' ? 'wrong' : quote(given);
      if (found === undefined) faultOf(name)(`is ${shown}. Use one of: ${legal.join(', ')}.`);
      return found ?? INPUT_DEFAULTS[name];
    },
    wholeNumber: (name, most) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (value >= 1 && value <= most) return value;
      const range = most === Number.MAX_SAFE_INTEGER ? '1 or more' : `from 1 to ${most}`;
      faultOf(name)(`is ${quote(given)}. Use a whole number, ${range}.`);
      return undefined;
    },
    faultOf,
    mask: (secret) => {
      if (secret !== '') source.setSecret(secret);
    },
    faults,
  };
}

/** Replaces an invalid value, so that the run can report the errors of other inputs too. */
const OTHERWISE = failOnAt('high');

const FORM = `Use one of: ${SEVERITY_LEVELS.join(', ')}, none. Or a list, for example \`critical, high:confirmed, medium:poc\`.`;

/**
 * Reads `fail-on`: a severity, `none`, or a list of severities. A severity can name the evidence that its findings
 * need: `high:confirmed`.
 * @param defaultEvidence the evidence for a severity that names none
 */
export function readFailOn(given: string, defaultEvidence: EvidenceLevel, fault: Fault): FailOn {
  const text = given.trim().toLowerCase();
  if (text === 'none') return { ...FAIL_ON_NONE, defaultEvidence };
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  const rules: FailOnRule[] = [];
  const wrong: string[] = [];
  for (const entry of entries.filter((one) => one !== '')) {
    const read = readEntry(entry, defaultEvidence);
    if (typeof read === 'string') wrong.push(read);
    else if (rules.some(({ severity }) => severity === read.severity)) {
      wrong.push(`names ${quote(read.severity)} twice. Name each severity once.`);
    } else rules.push(read);
  }
  if (rules.length === 0 && wrong.length === 0) wrong.push(`is ${quote(given)}. ${FORM}`);
  const against = contradiction(rules);
  if (against !== undefined) {
    const [worse, milder] = [against.worse, against.milder].map(({ severity, evidence }) =>
      quote(`${severity}:${evidence}`),
    );
    wrong.push(
      `asks for more proof of the worse severity: ${worse}, but ${milder}. Ask for as much or less. An entry without evidence has that of \`fail-on-evidence\`, \`${defaultEvidence}\`.`,
    );
  }
  for (const sentence of wrong) fault(sentence);
  return wrong.length === 0 ? { rules: normalRules(rules), defaultEvidence } : OTHERWISE;
}

/** Returns a rule, or says what is wrong with the entry. */
function readEntry(entry: string, defaultEvidence: EvidenceLevel): FailOnRule | string {
  const [name, ...levels] = entry.split(':').map((one) => one.trim());
  const severity = SEVERITY_LEVELS.find((level) => level === name);
  if (severity === undefined) {
    return name === 'none' ? 'has `none` in a list. Use `none` alone.' : `is ${quote(entry)}. ${FORM}`;
  }
  if (levels.length === 0) return { severity, evidence: defaultEvidence };
  const evidence = EVIDENCE_LEVELS.find((level) => level === levels[0]);
  if (evidence === undefined || levels.length > 1) {
    return `contains ${quote(entry)}. After the colon, use one of: ${EVIDENCE_LEVELS.join(', ')}.`;
  }
  return { severity, evidence };
}

/**
 * Reads one pattern per line. If a pattern is invalid, reports the pattern, and returns a list that matches nothing.
 */
export function readPaths(given: string | undefined, fault: Fault): PathPatterns {
  if (given === undefined) return [];
  const { patterns, slips } = readPathPatterns(given);
  for (const { pattern, sentence } of slips) {
    fault(pattern === undefined ? `is too long. ${sentence}` : `contains ${quote(pattern)}. ${sentence}`);
  }
  return patterns;
}

/**
 * Reads the paths whose findings never block. Patterns that match every file are an error if `fail-on` lets findings
 * block.
 */
export function readPathsExempt(given: string | undefined, failOn: FailOn, fault: Fault): PathPatterns {
  const patterns = readPaths(given, fault);
  if (failOn.rules.length === 0 || !matchesEverything(patterns)) return patterns;
  fault(
    'matches files of any name in any folder, so that no finding could block. Name folders or file types. To only report findings, set `fail-on` to `none`.',
  );
  return [];
}

/** Reads the paths that need no scan. Patterns that match every file are an error. */
export function readPathsUnscanned(given: string | undefined, fault: Fault): PathPatterns {
  const patterns = readPaths(given, fault);
  if (!matchesEverything(patterns)) return patterns;
  fault(
    'matches files of any name in any folder, so that no change would be scanned. Name folders or file types that need no scan.',
  );
  return [];
}
