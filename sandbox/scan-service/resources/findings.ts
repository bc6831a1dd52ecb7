import type { Answer } from '../../faults/interception.ts';
import { paginate } from '../pagination.ts';
import { Refusal } from '../refusal.ts';
import { showFindingDetail, showFindingItem } from '../serializers.ts';
import type { Call } from '../state.ts';
import { canSee, findScan, onFinding } from '../visibility.ts';

export function listFindings(call: Call): Answer | Refusal {
  const scanId = call.query.get('scanId');
  const page = scanId === null ? pageOfAll(call) : pageOfScan(call, scanId);
  return page instanceof Refusal ? page : { status: 200, body: page };
}

function pageOfAll(call: Call): object {
  const seen = [...call.state.findings.values()].filter((finding) => canSee(call.token, finding.repository));
  return paginate(call, seen, (finding) =>
    showFindingItem(call.state, finding, finding.lastScanId, finding.vulnerability),
  );
}

function pageOfScan(call: Call, scanId: string): object {
  const scan = findScan(call, scanId);
  if (scan instanceof Refusal) return scan;
  const found = scan.found.flatMap(({ findingId, vulnerability }) => {
    const finding = call.state.findings.get(findingId);
    return finding === undefined ? [] : [{ finding, vulnerability }];
  });
  return paginate(call, found, ({ finding, vulnerability }) =>
    showFindingItem(call.state, finding, scan.id, vulnerability),
  );
}

export const readFinding = onFinding(({ state }, finding) => ({
  status: 200,
  body: { finding: showFindingDetail(state, finding) },
}));
