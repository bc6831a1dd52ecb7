import { HELP, parseCommandLine, UsageError } from '../command-line.ts';
import { resolveFromCwd } from '../cwd.ts';
import { givenChange, type LocalChange, sampleChange, UnfitRepository } from './local-change.ts';

const USAGE = `Usage: npm run demo [-- --repo PATH --base REF --head REF] [--all]
       npm run demo -- --triage

--all prints everything that the run left: log, check run, annotations, comment, job summary and outputs.`;

const OPTIONS = {
  repo: { type: 'string' },
  base: { type: 'string' },
  head: { type: 'string' },
  triage: { type: 'boolean' },
  all: { type: 'boolean' },
  ...HELP,
} as const;

/** The message and the exit code of a command that ends without a demo. */
export interface CliExit {
  readonly message: string;
  readonly exitCode: 0 | 2;
}

/** What the command line asks for. */
export interface DemoOptions {
  readonly change: LocalChange;
  readonly isSample: boolean;
  readonly triage: boolean;
  /** True if the demo prints everything that the run left. */
  readonly all: boolean;
}

/**
 * Reads the command line. With `--repo`, `--base` and `--head`, the demo uses a change in a local repository. Without
 * them, the demo uses the sample change. For `--help` and for wrong arguments, returns the message and the exit code.
 */
export async function readDemoOptions(args: readonly string[]): Promise<DemoOptions | CliExit> {
  try {
    const {
      repo,
      base,
      head,
      triage = false,
      all = false,
      help,
    } = parseCommandLine({ args: [...args], options: OPTIONS }, USAGE).values;
    if (help) return { message: USAGE, exitCode: 0 };
    if (triage && args.length > 1)
      return { message: `--triage takes no other option. Leave the others out.\n${USAGE}`, exitCode: 2 };
    if (repo === undefined && base === undefined && head === undefined)
      return { change: await sampleChange(), isSample: true, triage, all };
    const faults = Object.entries({ repo, base, head }).flatMap(([name, value]) => faultOf(name, value));
    if (!repo || !base || !head) return { message: [...faults, USAGE].join('\n'), exitCode: 2 };
    return { change: await givenChange(resolveFromCwd(repo), base, head), isSample: false, triage, all };
  } catch (error) {
    if (!(error instanceof UnfitRepository || error instanceof UsageError)) throw error;
    return { message: error.message, exitCode: 2 };
  }
}

function faultOf(name: string, value: string | undefined): string[] {
  if (value === undefined) return [`--${name} is missing.`];
  return value === '' ? [`--${name} is empty.`] : [];
}
