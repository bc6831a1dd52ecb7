import { HELP, parseCommandLine, UsageError } from '../command-line.ts';
import { resolveFromCwd } from '../cwd.ts';
import { givenChange, sampleChange } from './local-change.ts';

export const USAGE = `Usage: npm run demo [-- --repo PATH --base REF --head REF] [--all]
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

/**
 * Reads the command line. With `--repo`, `--base` and `--head`, the demo uses a change in a local repository. Without
 * them, the demo uses the sample change. With `all`, it prints everything that the run left. Throws `UsageError` if the
 * arguments cannot be used.
 */
export async function readDemoOptions(args: readonly string[]) {
  const { values } = parseCommandLine({ args: [...args], options: OPTIONS }, USAGE);
  const { repo, base, head, triage = false, all = false, help } = values;
  if (help) return 'help';
  if (triage && args.length > 1)
    throw new UsageError(`--triage takes no other option. Leave the others out.\n${USAGE}`);
  if (repo === undefined && base === undefined && head === undefined)
    return { change: await sampleChange(), isSample: true, triage, all };
  const faults = Object.entries({ repo, base, head }).flatMap(([name, value]) => faultOf(name, value));
  if (!repo || !base || !head) throw new UsageError([...faults, USAGE].join('\n'));
  return { change: await givenChange(resolveFromCwd(repo), base, head), isSample: false, triage, all };
}

function faultOf(name: string, value: string | undefined): string[] {
  if (value === undefined) return [`--${name} is missing.`];
  return value === '' ? [`--${name} is empty.`] : [];
}
