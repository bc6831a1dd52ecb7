import type { Answer } from '../../faults/interception.ts';
import { paginate } from '../pagination.ts';
import { Refusal } from '../refusal.ts';
import { showFindingDetail, showFindingItem } from '../serializers.ts';
import type { Call } from '../state.ts';
import { canSee, findScan, onFinding } from '../visibility.ts';

export function listFindings(call: Call): Answer | Refusal {
  const { state, token } = call;
  const scanId = call.query.get('scanId');
  if (scanId === null) {
    const seen = [...state.findings.values()].filter((finding) => canSee(token, finding.repository));
    return paginate(call, seen, (finding) =>
      showFindingItem(state, finding, finding.lastScanId, finding.vulnerability),
    );
  }
  const scan = findScan(call, scanId);
  if (scan instanceof Refusal) return scan;
  const found = scan.found.flatMap(({ findingId, vulnerability }) => {
    const finding = state.findings.get(findingId);
    return finding === undefined ? [] : [{ finding, vulnerability }];
  });
  return paginate(call, found, ({ finding, vulnerability }) =>
    showFindingItem(state, finding, scan.id, vulnerability),
  );
}

export const readFinding = onFinding(({ state }, finding) => ({
  status: 200,
  body: { finding: showFindingDetail(state, finding) },
}));
