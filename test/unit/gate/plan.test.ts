import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import type { DiffBase } from '../../../src/domain/target.ts';
import type { LaunchableChange } from '../../../src/gate/gate.ts';
import { planLaunch } from '../../../src/gate/plan.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { changes } from '../../support/shown.ts';
import { sampleReport } from '../report/sample-report.ts';

const HEAD = 'ab'.repeat(20);
const BASE = 'cd'.repeat(20);
const diffBase: DiffBase = { baseSha: BASE, headSha: HEAD, how: 'compare' };
const { target = expect.unreachable('the sample report has no target') } = sampleReport([]);
const CHANGE: LaunchableChange = {
  target,
  diffBase,
  preflight: {
    projectId: 'p',
    repository: { id: 'r', owner: 'acme', name: 'shop', url: '', status: 'ACTIVE', readiness: 'ready' },
    preset: { ref: 'diff', name: 'Diff', minCredits: 20 },
    creditBudget: 30,
    token: undefined,
    scans: ok({ scans: [], complete: true }),
    warnings: [],
  },
};
const GUIDANCE_FILE = {
  source: { path: 'a.md', commitSha: BASE, characters: 18, hash: 'of the file' },
  text: 'Look at the login.',
};

const planned = (
  launchParameters: Readonly<Record<string, unknown>> = {},
  change = CHANGE,
  file?: typeof GUIDANCE_FILE,
) => planLaunch(change, readLaunchParameters(launchParameters), file);
/** What differs from the plan without `launch-parameters`. */
const differences = (other: ReturnType<typeof planned>) =>
  changes(planned(), other)
    .map((line) => `\n    ${line}`)
    .join('') || 'nothing';

test('planLaunch plans a launch with the given change, repository, preset and credit budget', () => {
  const asked = { repositoryId: 'r', presetRef: 'diff', creditBudget: 30 };
  const ids = { baseSha: BASE, headSha: HEAD };
  expect(planned()).toEqual({
    body: { ...asked, baseCommit: BASE, commit: HEAD },
    creditBudget: 30,
    keyFields: { ...asked, ...ids, pullRequest: target.pullRequest?.number, launchParameters: {} },
    subject: { ...asked, ...ids, areas: [], guidance: undefined },
  });
});

test('a planned launch differs by its inputs as plan.txt shows', async () => {
  await expectTable('plan', {
    'the plan changes with': {
      'a guidance file': differences(planned({}, CHANGE, GUIDANCE_FILE)),
      'a merge group': differences(planned({}, { ...CHANGE, target: { ...target, pullRequest: undefined } })),
    },
    'the plan changes with these `launch-parameters`': casesOf((given) => differences(planned(given)), {
      'fields to add, replace and remove': {
        branch: 'topic',
        creditBudget: 50,
        commit: null,
        headSha: HEAD,
      },
      'audit areas': { auditAreaKeys: ['login', 'pay'] },
      guidance: { guidance: 'Look at the login.' },
      // An empty text replaces the guidance that the service stores for the repository.
      'an empty guidance': { guidance: '' },
      'no budget': { creditBudget: null },
      'the repository and the preset': { repositoryId: 'r', presetRef: 'diff' },
      'other names of base and head': { commit: null, headSha: HEAD, baseCommit: null, base: BASE },
    }),
  });
});
