import type { Answer } from '../../faults/interception.ts';
import { paginate } from '../pagination.ts';
import { badRequest, type Refusal } from '../refusal.ts';
import { advance, stop } from '../scan-life.ts';
import { isTerminal } from '../scan-status.ts';
import { showScanDetail, showScanItem } from '../serializers.ts';
import type { Call } from '../state.ts';
import { canSee, onScan } from '../visibility.ts';

export function listScans(call: Call): Answer | Refusal {
  const newestFirst = call.state.scans.filter((scan) => canSee(call.token, scan.repository)).reverse();
  return paginate(call, newestFirst, (scan) => showScanItem(call.state, scan));
}

export const readScan = onScan(async ({ state }, scan) => {
  await advance(state, scan);
  const advice = { 'retry-after': String(state.settings.retryAfterSeconds) };
  return {
    status: 200,
    headers: isTerminal(scan.status) ? {} : advice,
    body: { scan: showScanDetail(state, scan) },
  };
});

export const cancelScan = onScan(({ state }, scan) => {
  if (isTerminal(scan.status)) return badRequest(`The scan is already ${scan.status}.`);
  const cancelledJobs = stop(state, scan, 'CANCELLED');
  return { status: 200, body: { scanId: scan.id, status: scan.status, cancelledJobs } };
});
