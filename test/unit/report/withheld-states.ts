import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import { FAIL_ON_NONE } from '../../../src/domain/verdict.ts';
import type { WholeReport } from '../../../src/report/report.ts';
import { HEAD, POLICY, sampleFinding, sampleFullScan, samplePush, sampleWhole } from './sample-report.ts';
import { manyFindings, STATES } from './states.ts';

const findings = STATES['full-scan']?.verdict.findings;
const all = [...(findings?.reported ?? []), ...(findings?.below ?? []), ...(findings?.triaged ?? [])];
const tested = sampleFinding({
  id: 'fnd_6',
  label: 'ZK-TESTED06',
  location: { path: 'test/login.test.ts', startLine: 12, endLine: 12 },
});
const FULL_SCAN: Partial<WholeReport> = {
  target: sampleFullScan(true),
  diffBase: { baseSha: undefined, headSha: HEAD, how: 'none' },
  preflight: { preset: { ref: 'full-audit', name: 'Full audit', minCredits: 0 } },
};

/** The results of runs that show findings only by label. */
export const WITHHELD_STATES: Readonly<Record<string, WholeReport>> = {
  'public-push-blocked': sampleWhole(all, { target: samplePush({}, true) }),
  'public-full-scan': sampleWhole([...all, tested], {
    ...FULL_SCAN,
    policy: { ...POLICY, failOn: FAIL_ON_NONE, pathsExempt: readPathPatterns('test/**').patterns },
    publication: {
      publicId: 'pub_1',
      url: 'https://scan.example/public/scans/pub_1',
      gated: true,
      accessPassword: 'the-password',
    },
  }),
  'public-full-scan-blocked': sampleWhole(
    [...all, sampleFinding({ id: 'fnd_7', label: 'ZK-UNKNOWN7', word: 'SEVERE' })],
    FULL_SCAN,
  ),
  'public-full-scan-clean': sampleWhole([], FULL_SCAN),
  'public-full-scan-long': sampleWhole(manyFindings(200), FULL_SCAN),
};
