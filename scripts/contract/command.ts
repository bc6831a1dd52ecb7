import { HELP, parseCommandLine, UsageError } from '../../sandbox/command-line.ts';
import { assumedRules } from '../../sandbox/contract/assumed-rules.ts';
import { TooManySubschemas } from '../../sandbox/contract/plain-schema.ts';
import { readContract } from '../../sandbox/contract/read-contract.ts';
import { resolveFromCwd } from '../../sandbox/cwd.ts';
import { compareContracts } from './compare.ts';
import { hiddenRulesText, questionsText } from './questions.ts';
import { readDocument, Unreadable } from './read-document.ts';
import { deviations, exitCodeOf, fullTable, warningsText } from './table.ts';
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

/** What the command prints: a report, or an error if the file or the command line cannot be used. */
export type Ended =
  | { readonly exitCode: 0 | 1; readonly text: string }
  | { readonly exitCode: 2; readonly message: string };

export function contractCommand(args: readonly string[]): Ended {
  try {
    return compareWith(args);
  } catch (error) {
    const isExpected = [UsageError, Unreadable, TooManySubschemas].some((kind) => error instanceof kind);
    if (!(isExpected && error instanceof Error)) throw error;
    return { exitCode: 2, message: error.message };
  }
}

function compareWith(args: readonly string[]): Ended {
  const { values, positionals } = parseCommandLine(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    USAGE,
  );
  const [file, ...more] = positionals;
  if (values.help === true) return { exitCode: 0, text: USAGE };
  if (file === undefined) throw new UsageError(`FILE is missing.\n\n${USAGE}`);
  if (more.length > 0) throw new UsageError(`There is more than one FILE. Use one.\n\n${USAGE}`);
  const theirs = readDocument(resolveFromCwd(file));
  const ours = readContract();
  const verdicts = compareContracts(ours, theirs);
  const rules = assumedRules(ours);
  const table =
    values.all === true
      ? `${fullTable(verdicts, file)}\n\n${questionsText(rules)}`
      : `${deviations(verdicts, file)}\n${hiddenRulesText(rules)}`;
  const text = `${warningsText(warningsOf(ours, theirs))}${table}`;
  return { exitCode: exitCodeOf(verdicts), text };
}
