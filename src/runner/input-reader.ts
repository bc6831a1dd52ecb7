import { getInput, setSecret } from '@actions/core';
import { quote } from './input-forms.ts';

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
  /** Returns one of the legal words. Ignores case. @param otherwise the result for an invalid word */
  word<W extends string>(name: WithDefault, legal: readonly W[], otherwise: W): W;
  /** Returns a whole number from 1 to `most`. Undefined if the input is empty or invalid. */
  wholeNumber(name: string, most: number): number | undefined;
  /**
   * Returns a function that reports an error of this input. Its argument is a sentence without the subject, because the
   * input's name is the subject.
   */
  faultOf(name: string): (sentence: string) => void;
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
    word: (name, legal, otherwise) => {
      const given = withDefault(name);
      const found = legal.find((candidate) => candidate === given.toLowerCase());
      // The check run shows this error. Users may have set `publish-password` to a password, so the error omits the
      // value.
      const shown = name === 'publish-password' ? 'wrong' : quote(given);
      if (found === undefined) faultOf(name)(`is ${shown}. Use one of: ${legal.join(', ')}.`);
      return found ?? otherwise;
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
