import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROUTES } from '../../sandbox/github/routes.ts';
import { FIGURES, figuresTable } from '../../scripts/bench/figures.ts';
import { neededFor, USES } from '../../scripts/contract/action-names.ts';
import { CHECKS } from '../../src/doctor/row.ts';
import { CLOSING_STATUSES, REASON_CODES } from '../../src/domain/finding.ts';
import { REASONS } from '../../src/domain/result.ts';
import { judge } from '../../src/domain/verdict.ts';
import { scopeFaults } from '../../src/preflight/token-check.ts';
import { headline } from '../../src/report/headline.ts';
import { REASON_LABELS } from '../../src/report/labels.ts';
import { INPUT_DEFAULTS } from '../../src/runner/input-forms.ts';
import { pollInterval } from '../../src/scan-api/patience.ts';
import { CHANGE_COMMANDS, PREFIX } from '../../src/triage/command.ts';
import { OUTPUT_NAMES } from '../support/output-names.ts';
import { failedScan } from '../unit/report/sample-failures.ts';
import { completed, POLICY, sampleFinding } from '../unit/report/sample-report.ts';
import { ACTIONS, filesIn, read } from './code.ts';
import { permissionsIn } from './documented-yaml.ts';
import { codeSpansOf, PAGES, rowsOf, sectionsOf, sectionUnder, tableUnder } from './documents.ts';
import { copiedYaml } from './examples.ts';

const { '': gate, doctor, triage } = ACTIONS;
const readme = read('README.md');
const inputsPage = read('docs/inputs.md');
const outcomes = read('docs/outcomes.md');
const triagePage = read('docs/triage.md');
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const namesUnder = (page: string, heading: string) => [...tableUnder(page, heading).keys()];
/** The rows of the table on a page whose first column has this header. */
const rowsWith = (page: string, header: string) =>
  rowsOf(read(page))
    .filter((row) => row.header[0] === header)
    .map(({ cells }) => cells);

/** The reasons that any author of a pull request can cause, and those that occur in any pull request of a fork. */
const OF_AUTHORS = sorted([
  ...['scan-failed', 'timeout', 'service-error', 'insufficient-credits', 'rate-limited', 'superseded'],
  ...['unsupported-event', 'missing-token', 'untrusted-fork'],
]);
/** The reasons that no author can cause, or that `allow-unscanned` cannot list. */
const OTHER_REASONS = ['initializing', 'scan-cancelled', 'launch-unknown', 'paths', 'configuration'];
const warningOf = (page: string) => page.match(/^> \[!WARNING\]\n(?:> .*\n)+/m)?.[0] ?? '';
const reasonsIn = (text: string) =>
  codeSpansOf(text)
    .filter((span) => REASONS.some((one) => one === span))
    .sort();

const CLOSING = [...CLOSING_STATUSES.keys()];
/** The lists of statuses on a page, such as `A`, `B` or `C`, if one of the statuses closes a finding. */
const statusListsIn = (page: string) =>
  [...read(page).matchAll(/(?:`[A-Z_]+`(?:, | or | and )){2,}`[A-Z_]+`/g)]
    .map(([list]) => codeSpansOf(list))
    .filter((names) => names.some((name) => CLOSING_STATUSES.has(name)));

const statusLists = PAGES.flatMap(statusListsIn);
const contractStatuses: readonly string[] = parse(read('sandbox/contract/openapi.yaml')).components.schemas
  .ResolutionStatus.enum;
const NO_SCOPES = { projectId: undefined, scopes: [], expiresAt: undefined, spendLimit: undefined };
const reliability = rowsOf(read('docs/reliability.md'))
  .map(({ cells }) => cells.join(' '))
  .join('\n');
const listing = tableUnder(
  read('docs/contributing/releases.md'),
  'The page of the repository and the Marketplace',
);

const grantsIn = (cell = '') => codeSpansOf(cell).filter((span) => /^[a-z-]+: (?:read|write)$/.test(span));
const features = rowsWith('docs/permissions.md', 'feature');
const granted = sorted(features.flatMap(([, cell]) => grantsIn(cell)));
/** The permissions that only other actions and jobs use, and not the gate. */
const OF_OTHERS = [
  'actions: read',
  'actions: write',
  'security-events: write',
  'checks: read',
  'issues: write',
];

/** The rows of the first table in a text. */
const figureRows = (markdown: string) => rowsOf(markdown).map(({ cells }) => cells);

/** What a table of inputs says wrong: the default, or that an input is required. */
function wrongDefaults(page: string, inputs: typeof gate.inputs): readonly string[] {
  return [...tableUnder(read(page), 'Inputs')].flatMap(([name, [shown = '']]) => {
    const { default: value, required } = inputs[name] ?? {};
    const isRight =
      (value === undefined || shown.includes(`\`${value}\``)) && (!required || shown === 'required');
    return isRight ? [] : [`${name}: ${shown}`];
  });
}

/** The names that `docs/inputs.md` explains with another default, or not at all. */
function wrongSections(): readonly string[] {
  const sections = new Map(sectionsOf(inputsPage).map(({ title, body }) => [title, body]));
  return Object.entries(gate.inputs)
    .filter(([name, input]) => {
      const said = sections.get(name) ?? '';
      const isRight = input.default === undefined || said.includes(`Default: \`${input.default}\``);
      return said.trim().length <= 30 || !isRight || (input.required && !said.includes('Required.'));
    })
    .map(([name]) => name);
}

/** The messages `Nothing to do: …` of docs/triage.md. */
const quotedReasons = [...triagePage.matchAll(/`Nothing to do: ([^`]+)`/g)].map(([, why = '']) => why);
const triageCode = ['src/triage/command.ts', 'src/triage/run.ts']
  .map(read)
  .join('\n')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the code has it.
  .replaceAll('${PREFIX}', PREFIX);

/** The requests to GitHub for which docs/permissions.md names no permission. */
function requestsWithoutGrant(): readonly string[] {
  return ROUTES.filter(({ need }) => !need.anyOf.includes('metadata'))
    .filter(({ need: { anyOf, access } }) => {
      const enough = access === 'read' ? ['read', 'write'] : ['write'];
      return !anyOf.some((name) => enough.some((level) => granted.includes(`${name}: ${level}`)));
    })
    .map(({ point }) => point);
}

/** Everything that users read about the action. Comments in the examples count too. */
const PROSE = [
  ...PAGES.map(read),
  ...filesIn('{action.yml,*/action.yml}', 'docs/examples/*.yml').map(read),
].join('\n\n');

/** Each fact: what the page says, and what the code has. */
const FACTS: Readonly<Record<string, readonly [said: unknown, code: unknown]>> = {
  'the README has the command by which CI runs all tests': [
    sorted(codeSpansOf(readme).filter((span) => span === 'npm cit')),
    [/^SCANGATE_ROUNDS=full (npm \S+)$/m.exec(read('.ci/run'))?.[1]],
  ],
  'the pages have the default of `fail-on`': [
    sorted([...PROSE.matchAll(/findings at `?(\w+)`? or above/g)].map(([, level = '']) => level)),
    [INPUT_DEFAULTS['fail-on']],
  ],
  'the README has the inputs that most users set': [
    namesUnder(readme, 'Inputs'),
    ['base-url', 'api-token', 'fail-on', 'allow-unscanned', 'paths-exempt', 'comment'],
  ],
  'the README has the defaults of its inputs': [wrongDefaults('README.md', gate.inputs), []],
  'docs/triage.md has the defaults of its inputs': [wrongDefaults('docs/triage.md', triage.inputs), []],
  'docs/triage.md has all inputs': [namesUnder(triagePage, 'Inputs'), Object.keys(triage.inputs)],
  'docs/inputs.md has all inputs': [
    [...inputsPage.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name),
    Object.keys(gate.inputs),
  ],
  'docs/inputs.md explains all inputs with their defaults': [wrongSections(), []],
  'docs/inputs.md has all outputs': [namesUnder(inputsPage, 'Outputs'), OUTPUT_NAMES],
  'docs/doctor.md has all checks': [namesUnder(read('docs/doctor.md'), 'Checks'), CHECKS],
  'docs/doctor.md has all outputs': [
    namesUnder(read('docs/doctor.md'), 'Result'),
    Object.keys(doctor.outputs),
  ],
  'docs/service.md says what each endpoint is needed for': [
    [...tableUnder(read('docs/service.md'), 'What the service needs')]
      .map(([name, [needed]]) => `${name}: ${needed}`)
      .filter((row) => /^[A-Z]+ \//.test(row))
      .sort(),
    Object.keys(USES)
      .map((name) => `${name}: ${neededFor(name).replace(/^for /, '')}`)
      .sort(),
  ],
  'docs/triage.md has all commands': [
    Object.keys(CHANGE_COMMANDS).filter((name) => !triagePage.includes(`\`/scangate ${name} `)),
    [],
  ],
  'docs/triage.md has all reason codes': [
    Object.values(REASON_CODES)
      .flat()
      .filter((code) => !triagePage.includes(`\`${code}\``)),
    [],
  ],
  'docs/triage.md has only messages of the code': [
    quotedReasons,
    quotedReasons.filter((why) => triageCode.includes(why)),
  ],
  'docs/outcomes.md has all outcomes': [
    namesUnder(outcomes, 'Outcomes'),
    ['passed', 'blocked', 'unchanged', 'not-scanned'],
  ],
  'docs/outcomes.md gives each reason the label of the report': [
    Object.fromEntries([...tableUnder(outcomes, 'Reasons')].map(([reason, [label]]) => [reason, label])),
    REASON_LABELS,
  ],
  'docs/outcomes.md has the reasons that an author can cause': [
    sorted(namesUnder(outcomes, 'Reasons that an author can cause').flatMap((cell) => cell.split(', '))),
    OF_AUTHORS,
  ],
  'the warning of docs/outcomes.md refers to these reasons': [
    /`allow-unscanned` lists a reason of this table, .* without a scan/.test(warningOf(outcomes)),
    true,
  ],
  'the warning of the README has the reasons that an author can cause': [
    reasonsIn(warningOf(readme)),
    OF_AUTHORS,
  ],
  'SECURITY.md has the reasons that an author can cause': [
    reasonsIn(sectionUnder(read('SECURITY.md'), 'What an author can cause')),
    OF_AUTHORS,
  ],
  'these tests know all reasons': [sorted([...OF_AUTHORS, ...OTHER_REASONS]), sorted(REASONS)],
  'docs/troubleshooting.md has a message for all reasons': [
    sorted(rowsWith('docs/troubleshooting.md', 'message').flatMap(([, cell = '']) => codeSpansOf(cell))),
    sorted(REASONS),
  ],
  'docs/reliability.md has the poll interval': [
    /^`Retry-After` of a running scan.*Without it: (\d+) seconds/m.exec(reliability)?.[1],
    `${pollInterval(undefined, () => 0) / 1000}`,
  ],
  'docs/outcomes.md has two lists of the statuses that close a finding': [
    statusListsIn('docs/outcomes.md').length,
    2,
  ],
  'every list of statuses that close a finding is whole': [statusLists, statusLists.map(() => CLOSING)],
  'the contract of the service has the statuses that close a finding': [
    CLOSING.filter((status) => contractStatuses.includes(status)),
    CLOSING,
  ],
  'the next step of a blocked change has the statuses that close a finding': [
    codeSpansOf(headline({ verdict: judge(completed([sampleFinding()]), POLICY), policy: POLICY }).nextStep),
    CLOSING,
  ],
  'docs/permissions.md has the permissions of all workflows that users copy': [
    granted,
    sorted(copiedYaml().flatMap(([, text]) => permissionsIn(text))),
  ],
  'docs/permissions.md has a permission for each request to GitHub': [requestsWithoutGrant(), []],
  'docs/permissions.md has the scopes that the token needs': [
    sorted(features.flatMap(([, , cell = '']) => codeSpansOf(cell))),
    sorted(scopeFaults(NO_SCOPES, true).map(({ cause }) => codeSpansOf(cause)[0] ?? '')),
  ],
  'docs/permissions.md says what fails without each permission of the gate': [
    rowsWith('docs/permissions.md', 'permission')
      .flatMap(([cell]) => grantsIn(cell))
      .sort(),
    granted.filter((grant) => !OF_OTHERS.includes(grant)),
  ],
  'docs/performance.md has all figures with their goals': [
    figureRows(sectionUnder(read('docs/performance.md'), 'What a run costs')).map(([what, , goal]) => [
      what,
      goal?.replace(', not met', ''),
    ]),
    figureRows(figuresTable(FIGURES.map((figure) => [figure, 0]))).map(([what, , goal]) => [what, goal]),
  ],
  'docs/contributing/releases.md has the name and the description of action.yml': [
    ['name', 'description'].map((row) => listing.get(row)?.[0]),
    [gate.name, gate.description],
  ],
};

test.each(Object.entries(FACTS))('the pages agree with the code: %s', (_what, [said, code]) => {
  expect(said).toEqual(code);
});

test('for `scan-failed`, docs/outcomes.md and the report give the same next step', async () => {
  const { nextStep } = await failedScan();
  const said = tableUnder(outcomes, 'Reasons').get('scan-failed')?.at(-1);
  expect(said).toBe(nextStep.replace('this job', 'the job'));
});

test.each(['SECURITY.md', 'docs/permissions.md', 'docs/privacy.md'])(
  '%s names every file of a run wherever it names one',
  (page) => {
    const files = OUTPUT_NAMES.filter((name) => name.endsWith('-file') && name in gate.inputs);
    const lines = read(page)
      .split('\n')
      .filter((line) => files.some((name) => line.includes(`\`${name}\``)));
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(codeSpansOf(line), line).toEqual(expect.arrayContaining(files));
  },
);

/**
 * Reads a number that a source file declares, such as `const MOST = 5 * 24;` or a member `most: 5,`. NaN if the file
 * has no such number.
 */
function numberIn(file: string, name: string): number {
  const [, product = ''] =
    new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+)[,;}]`).exec(read(file).replaceAll(' }', '}')) ?? [];
  return product.split('*').reduce((all, factor) => all * Number.parseInt(factor.replaceAll('_', ''), 10), 1);
}

/** A pattern with one group for each number that a sentence repeats, and where the code declares the numbers. */
const LIMITS: readonly (readonly [sentence: RegExp, file: string, ...names: string[]])[] = [
  [/(\d+) for (?:a diff scan|the scan of a change)/g, 'src/runner/inputs.ts', 'diff'],
  [/(\d+) for a full scan/g, 'src/runner/inputs.ts', 'full'],
  [/At most (\d+) \(5 days\)/g, 'src/runner/inputs.ts', 'LONGEST_TIMEOUT_MINUTES'],
  [/its comment, at most (\d+) characters/g, 'src/runner/inputs.ts', 'LONGEST_CHECK_NAME'],
  [/One line of Markdown\b.*? at most (\d+) characters/g, 'src/runner/inputs.ts', 'LONGEST_NOTE'],
  [/the (\d+) most severe reported findings/g, 'src/report/check-output.ts', 'MOST_ANNOTATIONS'],
  [/of the (\d+) worst reported findings/g, 'src/scan/findings.ts', 'DETAILS_OF_WORST'],
  [/more than (\d+) files or (\d+) folders/g, 'src/change/changed-files.ts', 'MOST_FILES', 'MOST_FOLDERS'],
  [/takes up to (\d+) labels/g, 'src/triage/command.ts', 'MOST_LABELS'],
  [/not all commits \(it lists (\d+)\)/g, 'src/github/people.ts', 'MOST_LISTED'],
];

const limits = LIMITS.map(([sentence, file, ...names]) => ({ sentence, file, names }));

test.each(limits)('the pages have the numbers of the code: $sentence', ({ sentence, file, names }) => {
  const said = [...PROSE.matchAll(sentence)];
  expect(said).not.toEqual([]);
  for (const [all, ...shown] of said)
    expect(shown, all).toEqual(names.map((name) => String(numberIn(file, name))));
});
