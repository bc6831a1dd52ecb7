import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diagnose, renderTable } from '../../src/doctor/diagnose.ts';
import type { Row } from '../../src/doctor/row.ts';
import { deliverTable } from '../../src/doctor/run.ts';
import { err, ok } from '../../src/domain/result.ts';
import { createRunnerLog } from '../../src/runner/log.ts';
import { rounds } from '../support/rounds.ts';
import { printed } from '../support/runner-files.ts';
import { GATE, workflowFile } from '../unit/doctor/gate-workflow.ts';
import { DIFF, FULL, factsOf, type Given, refused, requires } from '../unit/doctor/sample-facts.ts';
import { finding } from '../unit/domain/sample-finding.ts';
import { gitHubError } from '../unit/github/samples.ts';
import { allNodes, parseGfm } from '../unit/report/gfm.ts';
import { hostileText } from '../unit/report/hostile.ts';
import { TRIED } from './corpus.ts';
import { commandsIn, unintendedAmong, unseenIn } from './unintended.ts';

/** Facts of healthy and broken setups. The service and GitHub send the text wherever they can. */
function hostileFacts(text: string): readonly Given[] {
  const error = { ...refused(400, text), message: text };
  const failed = err(error);
  const gitHubFailed = err({ ...gitHubError('forbidden'), message: text });
  const wrong = { reason: 'configuration', cause: text, nextStep: text } as const;
  return [
    {
      inputs: {
        'check-name': 'Security scan',
        preset: DIFF.ref,
        'launch-parameters': JSON.stringify({ [text]: text }),
      },
      token: { projectId: text, expiresAt: text, allowlist: [text] },
      repository: { id: text, readiness: text },
      presets: [{ ...DIFF, name: text, modelTier: text, description: text }, FULL],
      scan: { presetRef: text, repositoryId: text },
      findings: [finding({ severity: text, title: text })],
      service: { projectId: ok(text) },
      github: {
        defaultBranch: ok(text),
        rules: ok({ rules: [requires(text, 'Security scan')], complete: true }),
        workflows: ok({
          files: [workflowFile('scangate.yml', { on: 'pull_request', jobs: { [text]: { steps: [GATE] } } })],
          complete: true,
        }),
      },
    },
    {
      repository: { status: text, id: text },
      inputs: { 'repository-id': text },
      presets: [
        { ...DIFF, ref: text },
        { ...DIFF, name: text },
      ],
      github: { defaultBranch: gitHubFailed },
    },
    {
      token: error,
      service: {
        projectId: err(wrong),
        lists: { repositories: failed, presets: failed, scans: failed },
        scan: failed,
        findings: failed,
      },
      github: { checkRuns: gitHubFailed, rules: gitHubFailed, workflows: gitHubFailed },
      facts: { proxy: { variable: 'HTTPS_PROXY', fault: wrong } },
    },
  ];
}

/** The text of a row. It is rendered in the same way for every check. */
const textOf = ({ text, fix }: Row) => `${text} ${fix?.what}`;
/** The rows of the doctor that contain no text of the service or of GitHub. */
const OWN_TEXTS: ReadonlySet<string> = new Set(
  hostileFacts('harmless').flatMap((given) => diagnose(factsOf(given)).map(textOf)),
);

/** @param rows rows of different texts */
function markdownFaults(rows: readonly Row[]): string[] {
  const markdown = renderTable(rows);
  const nodes = allNodes(parseGfm(markdown));
  const lines = nodes.filter(({ type }) => type === 'tableRow');
  const cells = new Set(lines.map((line) => ('children' in line ? line.children.length : 0)));
  return [
    ...unintendedAmong(nodes, markdown),
    ...(lines.length === rows.length + 1 ? [] : ['a row that is forged or lost']),
    ...([...cells].join() === '4' ? [] : ['a cell that is forged or lost']),
  ];
}

/** Checks that each row is one or two lines of the log, and that one error ends the log of a failed run. */
async function logFaults(rows: readonly Row[]): Promise<string[]> {
  const lines = printed();
  const before = lines().length;
  const places = { log: createRunnerLog(), writeSummary: async () => {}, writeOutputs: () => {} };
  const exitCode = await deliverTable(places, rows);
  const shown = lines().slice(before);
  const meant = exitCode === 0 ? [] : ['error'];
  const found = commandsIn(shown.join('\n'));
  // Two lines follow the rows: the sentence about costs, and the verdict. The verdict is a single line, because it is
  // one workflow command.
  const expected = rows.length + rows.filter(({ fix }) => fix !== undefined).length + 2;
  return [
    ...(found.join() === meant.join() ? [] : [`obeyed: ${found.join()}`]),
    ...(shown.length === expected ? [] : [`${shown.length} lines, not ${expected}`]),
    ...unseenIn(shown.join('\n')),
  ];
}

async function faultsOf(text: string): Promise<string[]> {
  const tables = hostileFacts(text).map((given) => diagnose(factsOf(given)));
  const foreign = new Map(tables.flat().map((row) => [textOf(row), row]));
  for (const own of OWN_TEXTS) foreign.delete(own);
  const faults = markdownFaults([...foreign.values()]);
  for (const rows of tables) faults.push(...(await logFaults(rows)));
  return faults;
}

test('hostile text from the service and GitHub is harmless in the log and the job summary of the doctor', async () => {
  const faults: string[] = [];
  for (const text of TRIED) {
    const found = await faultsOf(text);
    faults.push(...found.map((fault) => `${JSON.stringify(text).slice(0, 80)}: ${fault}`));
  }
  expect(faults).toEqual([]);
});

test('random text from the service and GitHub is harmless in the log and the job summary of the doctor', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      expect(await faultsOf(text)).toEqual([]);
    }),
    { numRuns: rounds(5, 50) },
  );
});

test('the table of the doctor stays short even if the service and GitHub send long texts', () => {
  const long = 'x '.repeat(100_000);
  for (const given of hostileFacts(long))
    expect(renderTable(diagnose(factsOf(given))).length).toBeLessThan(100_000);
});
