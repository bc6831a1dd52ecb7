import { describeTable, diagnose } from '../../../src/doctor/diagnose.ts';
import type { GitHubFacts } from '../../../src/doctor/facts.ts';
import { ok } from '../../../src/domain/result.ts';
import type { BranchRule } from '../../../src/github/branch-rules.ts';
import { factsOf, type Given, requires, shownRow } from './sample-facts.ts';

/** An expression as workflows write it. */
export const expression = (text: string) => `\${{ ${text} }}`;
export const STEP = '    steps:\n      - uses: scangate/scangate@v0\n';
export const JOB = `  scangate:\n    runs-on: x\n${STEP}`;
const TYPES = '    types: [opened, synchronize, reopened, edited]\n';
/** Makes the events of a workflow. Events of pull requests get the types that the documentation shows. */
export const on = (...events: readonly string[]) =>
  `on:\n${events.map((event) => `  ${event}:\n${/^pull_request(?:_target)?$/.test(event) ? TYPES : ''}`).join('')}`;
export const ON = `${on('pull_request')}    branches: [main]\n`;
export const QUICK = `${ON}jobs:\n${JOB}`;

export interface Repository {
  /** The workflow files. A single text is `scangate.yml`. */
  readonly files: string | Readonly<Record<string, string>>;
  readonly rules?: readonly BranchRule[];
  readonly github?: Partial<GitHubFacts>;
  readonly given?: Given;
}

function filesOf(files: Repository['files']) {
  const named = typeof files === 'string' ? { 'scangate.yml': files } : files;
  return Object.entries(named).map(([name, text]) => ({ path: `.github/workflows/${name}`, text }));
}

function givenOf({ files, rules = [requires('scangate')], github, given }: Repository): Given {
  return {
    ...given,
    github: {
      workflows: ok({ files: filesOf(files), complete: true }),
      rules: ok({ rules, complete: true }),
      ...github,
    },
  };
}

/** Returns what the doctor's table shows for a repository: all rows, the warnings and errors, and the last line. */
export function look(repository: Repository) {
  const rows = diagnose(factsOf(givenOf(repository)));
  const problems = rows.filter(({ level }) => level === 'error' || level === 'warning');
  return {
    problems: problems.map((row) => shownRow(row).replace(/^(\w+): /, `$1 ${row.check}: `)),
    last: describeTable(rows),
    rows: rows.map((row) => `${row.level} ${row.check}: ${row.text}`),
  };
}
