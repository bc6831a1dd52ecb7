import { expect } from 'vitest';
import type { Triage } from '../../sandbox/scan-service/control.ts';
import { failing, showing, triages } from './effects.ts';
import { base, outputs, says, summarizes } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { MERGE_BASE } from './repository.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { ScenarioResult } from './scenario.ts';

/** Everything that the run shows people on GitHub. */
const shown = ({ environment, run }: ScenarioResult) =>
  JSON.stringify([environment.github.checkRuns, environment.github.comments, run.summary]);
const showsFile =
  (file: string, isShown: boolean): End =>
  (result) =>
    expect(shown(result).includes(file)).toBe(isShown);
const evidence = (name: string, failOnEvidence: string, verdict: Triage): RunRow => ({
  name: `with \`fail-on-evidence: ${failOnEvidence}\`, a finding ${name}`,
  at: { 'findings.list 1': triages(verdict) },
  inputs: { 'fail-on-evidence': failOnEvidence },
});
const PENDING = { triageStatus: 'PENDING', confirmationEvidence: null };
const ANALYSIS = { triageStatus: 'CONFIRMED', confirmationEvidence: 'ANALYSIS' };
const POC = { triageStatus: 'CONFIRMED', confirmationEvidence: 'POC' };
const HIDDEN = ['triageStatus', 'confirmationEvidence'];

testRuns(
  [
    {
      name: 'a vulnerable change is blocked, and vulnerabilities of the base branch are not reported',
      ends: [
        base(MERGE_BASE),
        outputs({ 'highest-severity': 'CRITICAL', 'credits-reserved': '20' }),
        showsFile('pack.js', true),
        showsFile('admin.js', false),
        ({ run, headSha }) =>
          expect(run.log).toContain(`Pull request #7 of octo-org/octo-repo: ${headSha} onto branch main.`),
        says(
          '##[error]Blocked: 2 findings at or above high. Push a fix for each blocking finding, or contest it',
        ),
      ],
    },
    {
      name: 'a clean change passes with one paid scan of exactly the change, and without a comment',
      head: 'clean',
      ends: [
        outputs({ 'highest-severity': '', 'credits-reserved': '20' }),
        ({ environment, repository, headSha }) =>
          expect(environment.service.scans()).toMatchObject([
            { baseCommit: repository.id(MERGE_BASE), commit: headSha },
          ]),
      ],
    },
    {
      name: 'a run passes with a warning if some phases of the scan did not finish',
      head: 'clean',
      at: { 'scans.read': showing([/"phasesTotal":6/, '"phasesTotal":8']) },
    },
    { name: 'a finding below `fail-on` is shown, and makes the check run neutral', head: 'medium' },
    { name: 'a finding below `severity-threshold` is counted, and causes no comment', head: 'low' },
    {
      name: 'a blocking finding below `severity-threshold` is reported',
      head: 'low',
      inputs: { 'fail-on': 'low', 'severity-threshold': 'critical' },
    },
    { name: 'a finding below `fail-on: critical` does not block', inputs: { 'fail-on': 'critical' } },
    {
      name: 'a finding with an unknown severity blocks',
      head: 'low',
      at: { 'findings.list': showing([/"LOW"/g, '"CATASTROPHIC"']) },
    },
    {
      name: 'a change passes if all its findings are triaged as MITIGATED',
      at: { 'findings.list 1': triages({ resolutionStatus: 'MITIGATED' }) },
    },
    {
      name: 'a finding with the status RESOLVED blocks if the scan of the head reports it',
      at: { 'findings.list 1': triages({ resolutionStatus: 'RESOLVED' }) },
      ends: summarizes('This scan still reports the finding, although it is marked'),
    },
    evidence('whose triage is PENDING does not block', 'confirmed', PENDING),
    evidence('with the evidence ANALYSIS blocks', 'confirmed', ANALYSIS),
    evidence('with the evidence ANALYSIS does not block', 'poc', ANALYSIS),
    evidence('with the evidence POC blocks', 'poc', POC),
    evidence('whose triage is unknown blocks', 'confirmed', { ...PENDING, triageStatus: 'SOMETHING_NEW' }),
    evidence('without a known evidence blocks', 'poc', { ...POC, confirmationEvidence: null }),
    {
      ...evidence('blocks if only its details show a proof', 'poc', POC),
      service: { hideFields: { findingItem: HIDDEN } },
    },
    {
      name: 'with `fail-on-evidence: poc`, a finding blocks if the service does not show its evidence',
      service: { hideFields: { findingItem: HIDDEN, findingDetail: HIDDEN } },
      inputs: { 'fail-on-evidence': 'poc' },
    },
    ...['critical, medium:poc', 'critical:confirmed, medium:poc', 'critical:poc, high'].map((failOn) => ({
      name: `\`fail-on: ${failOn}\` for findings whose triage is PENDING`,
      ...(failOn !== 'critical:poc, high' && { at: { 'findings.list 1': triages(PENDING) } }),
      inputs: { 'fail-on': failOn },
    })),
    {
      name: 'findings in exempt paths are shown, but do not block',
      inputs: { 'paths-exempt': 'src/pack.js\n' },
      ends: [
        showsFile('<summary>2 findings exempt by path</summary>', true),
        says('Not listed here: 1 finding below medium and 2 findings exempt by path.'),
      ],
    },
    {
      name: 'in `paths-exempt`, a `!` pattern removes a folder from the exempt paths',
      inputs: { 'paths-exempt': '**\n!src' },
    },
    { name: 'a run refuses to exempt every file', inputs: { 'paths-exempt': '**' } },
  ],
  'verdict',
);

testRuns(
  [
    { name: 'a run launches no scan if the head equals the base', head: 'behind', ends: base('behind') },
    ...(['reverted', 'empty'] as const).map((head) => ({
      name: `nothing has changed if the head has the same files as the base: head \`${head}\``,
      head,
      ends: base(MERGE_BASE),
    })),
    {
      // The launch sends the head as `commit`, but this service reads `headCommit`. So it finds no head, and uses its
      // default branch, which is the base.
      name: 'a run fails if the service finds no change, but GitHub shows changed files',
      service: ({ dir }) => ({
        launchFields: { commit: 'headCommit' },
        repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, defaultBranch: 'stable' }],
      }),
      inputs: EVERYTHING_ALLOWED,
    },
    {
      name: 'a run fails if GitHub cannot confirm that nothing has changed',
      head: 'empty',
      at: {
        compare: (_jobs, { path }) => (/[?&]page=1\b/.test(path) ? failing : undefined),
      },
    },
  ],
  'verdict',
);
