import type { Answer } from '../../faults/interception.ts';
import { paginate } from '../pagination.ts';
import { canSee, findFinding, findScan } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { showFindingDetail, showFindingItem } from '../wire.ts';
import type { Call } from '../world.ts';

export function listFindings(call: Call): Answer | Refusal {
  const scanId = call.query.get('scanId');
  const page = scanId === null ? pageOfAll(call) : pageOfScan(call, scanId);
  return page instanceof Refusal ? page : { status: 200, body: page };
}

function pageOfAll(call: Call): object {
  const seen = [...call.world.findings.values()].filter((finding) => canSee(call.token, finding.repository));
  return paginate(call, seen, (finding) =>
    showFindingItem(call.world, finding, finding.lastScanId, finding.flaw),
  );
}

function pageOfScan(call: Call, scanId: string): object {
  const scan = findScan(call, scanId);
  if (scan instanceof Refusal) return scan;
  const found = scan.found.flatMap(({ findingId, flaw }) => {
    const finding = call.world.findings.get(findingId);
    return finding === undefined ? [] : [{ finding, flaw }];
  });
  return paginate(call, found, ({ finding, flaw }) => showFindingItem(call.world, finding, scan.id, flaw));
}

export function readFinding(call: Call): Answer | Refusal {
  const finding = findFinding(call);
  if (finding instanceof Refusal) return finding;
  return { status: 200, body: { finding: showFindingDetail(call.world, finding) } };
}
