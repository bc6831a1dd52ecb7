import { assumedRules } from '../src/sandbox/contract/assumed-rules.ts';
import { TooManyParts } from '../src/sandbox/contract/plain-schema.ts';
import { readContract } from '../src/sandbox/contract/read-contract.ts';
import { compareContracts } from './contract/compare.ts';
import { questionsText } from './contract/questions.ts';
import { readDocument, Unreadable } from './contract/read-document.ts';
import { contractTable, exitCodeOf } from './contract/table.ts';

/** Holds what we assume of the service against an OpenAPI file: `npm run contract -- FILE`. Exits 0, 1 or 2. */
const [file, ...more] = process.argv.slice(2);
try {
  if (file === undefined || more.length > 0) throw new Unreadable('Usage: npm run contract -- FILE');
  const ours = readContract();
  const verdicts = compareContracts(ours, readDocument(file));
  console.log(`${contractTable(verdicts, file)}\n\n${questionsText(assumedRules(ours))}`);
  process.exitCode = exitCodeOf(verdicts);
} catch (error) {
  if (!(error instanceof Unreadable || error instanceof TooManyParts)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
