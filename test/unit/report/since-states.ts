import { compareFindings, nextHistory, type SinceLastPush } from '../../../src/domain/history.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { HEAD, sampleFinding, sampleReport } from './sample-report.ts';

const PREVIOUS_HEAD = 'c0ffee1234567890c0ffee1234567890c0ffee12';
const fixed = sampleFinding({
  id: 'fnd_6',
  label: 'ZK-F1XED001',
  title: 'Path of a download built from a name',
});
const stays = sampleFinding({ id: 'fnd_7', label: 'ZK-STAYS007', word: 'MEDIUM', title: 'Open redirect' });
const judged = sampleFinding({ id: 'fnd_8', label: 'ZK-JUDGED08', title: 'Weak hash for a cache key' });

const before = nextHistory(undefined, PREVIOUS_HEAD, sampleReport([fixed, stays, judged]).verdict.findings);

function pushed(report: ListedReport): {
  readonly report: ListedReport;
  readonly since: SinceLastPush | undefined;
} {
  return { report, since: compareFindings(before, HEAD, report.verdict.findings) };
}

/** A second push, after a first one with three findings. */
export const SINCE_STATES: Readonly<Record<string, ReturnType<typeof pushed>>> = {
  'second-push': pushed(sampleReport([sampleFinding(), stays, { ...judged, resolution: 'FALSE_POSITIVE' }])),
  'second-push-fixed': pushed(sampleReport([])),
};
