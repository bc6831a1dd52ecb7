import { HELP, parseCommandLine, UsageError } from '../../sandbox/command-line.ts';
import { assumedRules } from '../../sandbox/contract/assumed-rules.ts';
import { TooManySubschemas } from '../../sandbox/contract/plain-schema.ts';
import { readContract } from '../../sandbox/contract/read-contract.ts';
import { resolveFromCwd } from '../../sandbox/cwd.ts';
import { compareContracts } from './compare.ts';
import { readDocument } from './read-document.ts';
import { exitCodeOf, rulesText, table, warningsText } from './table.ts';
import { warningsOf } from './warnings.ts';

const USAGE = `Usage: npm run contract -- FILE [--all]

Compares what Scangate assumes about the service with FILE, an OpenAPI 3 document in JSON or YAML,
and prints each difference, what it means and where to fix it. Each endpoint says what it is
needed for. Warnings are about the base path, the authentication, the errors, the status of a
launch, and scans that are never COMPLETED. They do not change the exit code.

  --all    also print what FILE confirms, and the assumed rules that no file can confirm
  --help   show this help

The exit code is 0 if nothing is to be done, 1 if something is, and 2 if FILE cannot be used.`;

const OPTIONS = { ...HELP, all: { type: 'boolean' } } as const;

/** Returns what the command prints. Throws `UsageError` if the file or the command line cannot be used. */
export function contractCommand(args: readonly string[]) {
  const { values, positionals } = parseCommandLine(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    USAGE,
  );
  const [file, ...more] = positionals;
  if (values.help === true) return { exitCode: 0, text: USAGE } as const;
  if (file === undefined) throw new UsageError(`FILE is missing.\n\n${USAGE}`);
  if (more.length > 0) throw new UsageError(`There is more than one FILE. Use one.\n\n${USAGE}`);
  const [ours, theirs, isWhole] = [readContract(), readDocument(resolveFromCwd(file)), values.all === true];
  try {
    const verdicts = compareContracts(ours, theirs);
    const warnings = warningsText(warningsOf(ours, theirs));
    const text = `${warnings}${table(verdicts, file, isWhole)}\n${rulesText(assumedRules(ours), isWhole)}`;
    return { exitCode: exitCodeOf(verdicts), text };
  } catch (error) {
    throw error instanceof TooManySubschemas ? new UsageError(error.message) : error;
  }
}
