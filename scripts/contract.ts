import { parseArgs } from 'node:util';
import { assumedRules } from '../sandbox/contract/assumed-rules.ts';
import { TooManySubschemas } from '../sandbox/contract/plain-schema.ts';
import { readContract } from '../sandbox/contract/read-contract.ts';
import { resolveFromCwd } from '../sandbox/cwd.ts';
import { compareContracts } from './contract/compare.ts';
import { hiddenRulesText, questionsText } from './contract/questions.ts';
import { readDocument, Unreadable } from './contract/read-document.ts';
import { deviations, exitCodeOf, fullTable } from './contract/table.ts';

const USAGE = `Usage: npm run contract -- FILE [--all]

Compares what Scangate assumes about the service with FILE, an OpenAPI 3 document in JSON or YAML,
and prints each difference, what it means and where to fix it.

  --all    also print what FILE confirms, and the assumed rules that no file can confirm
  --help   show this help

The exit code is 0 if nothing is to be done, 1 if something is, and 2 if FILE cannot be used.`;

const OPTIONS = { all: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

function parsed() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const isUsageError = String(Reflect.get(Object(error), 'code')).startsWith('ERR_PARSE_ARGS');
    if (isUsageError && error instanceof Error) throw new Unreadable(`${error.message}\n\n${USAGE}`);
    throw error;
  }
}

function compareWith(): void {
  const { values, positionals } = parsed();
  const [file, ...more] = positionals;
  if (values.help === true) {
    console.log(USAGE);
    return;
  }
  if (file === undefined || more.length > 0) throw new Unreadable(USAGE);
  const ours = readContract();
  const verdicts = compareContracts(ours, readDocument(resolveFromCwd(file)));
  const rules = assumedRules(ours);
  console.log(
    values.all === true
      ? `${fullTable(verdicts, file)}\n\n${questionsText(rules)}`
      : `${deviations(verdicts, file)}\n${hiddenRulesText(rules)}`,
  );
  process.exitCode = exitCodeOf(verdicts);
}

try {
  compareWith();
} catch (error) {
  if (!(error instanceof Unreadable || error instanceof TooManySubschemas)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
