import { parseArgs } from 'node:util';
import { fromHere } from '../from-here.ts';
import { givenChange, type LocalChange, NoSuchCommit, sampleChange } from './local-change.ts';

const USAGE = 'Usage: npm run demo [-- --repo PATH --base REF --head REF]';

const OPTIONS = {
  repo: { type: 'string' },
  base: { type: 'string' },
  head: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** A text where there is no change to show, and the exit code that goes with it. */
export interface NothingToShow {
  readonly say: string;
  readonly exitCode: 0 | 2;
}

/** The change that the command line asks for: the sample's without arguments, otherwise one of a local repository. */
export async function chosenChange(args: readonly string[]): Promise<LocalChange | NothingToShow> {
  try {
    const { repo, base, head, help } = parseArgs({ args: [...args], options: OPTIONS }).values;
    if (help) return { say: USAGE, exitCode: 0 };
    if (repo === undefined && base === undefined && head === undefined) return await sampleChange();
    const faults = Object.entries({ repo, base, head }).flatMap(([name, value]) => faultOf(name, value));
    if (!repo || !base || !head) return { say: [...faults, USAGE].join('\n'), exitCode: 2 };
    return await givenChange(fromHere(repo), base, head);
  } catch (error) {
    if (error instanceof NoSuchCommit) return { say: error.message, exitCode: 2 };
    if (isArgumentFault(error)) return { say: `${error.message}\n${USAGE}`, exitCode: 2 };
    throw error;
  }
}

function faultOf(name: string, value: string | undefined): string[] {
  if (value === undefined) return [`--${name} is missing.`];
  return value === '' ? [`--${name} is empty.`] : [];
}

function isArgumentFault(error: unknown): error is Error {
  return error instanceof Error && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS');
}
