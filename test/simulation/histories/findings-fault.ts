import { isObject } from '../../../sandbox/json.ts';
import type { ScanRecord } from '../../../sandbox/scan-service/state.ts';
import { BLOCKING, REPORTED } from './finding-model.ts';
import type { Job } from './job.ts';
import type { SimulatedHistory } from './simulated-history.ts';

/**
 * Compares the findings of a verdict with those of its scan in the service. The verdict must report each finding
 * exactly once. The finding must have had the reported severity and status during the run.
 */
export function findFindingFaults(
  { model }: Pick<SimulatedHistory, 'model'>,
  { outputs, report, startedAt, mainEndedAt = startedAt }: Job,
  scan: Pick<ScanRecord, 'found'>,
): readonly string[] {
  const outcome = outputs?.outcome ?? '';
  const broken: string[] = [];
  const reported = reportedFindings(report);
  const ids = reported.map(({ id }) => id);
  const doubled = ids.length - new Set(ids).size;
  const lost = scan.found.filter(({ findingId }) => !ids.includes(findingId)).length;
  const invented = ids.filter((id) => !scan.found.some(({ findingId }) => findingId === id));
  if (doubled > 0) broken.push(`${doubled} findings are reported twice`);
  if (lost > 0) broken.push(`${lost} findings are not reported`);
  if (invented.length > 0) broken.push(`findings that the scan does not have: ${invented}`);
  if (outputs?.['findings-total'] !== String(scan.found.length)) broken.push('findings-total is wrong');

  let mustBlock = false;
  let mayBlock = false;
  for (const { findingId } of scan.found) {
    const standings = model.between(findingId, startedAt, mainEndedAt);
    // The severity of a finding can change after the run has read the list, and before it reads the detail. So the
    // verdict may use any severity that the finding had during the run.
    const severities = standings.map(({ severity }) => severity);
    const blocks = severities.map((severity) => BLOCKING.includes(severity));
    mustBlock ||= standings.every(({ isOpen }) => isOpen) && blocks.every(Boolean);
    mayBlock ||= standings.some(({ isOpen }) => isOpen) && blocks.some(Boolean);
    const one = reported.find(({ id }) => id === findingId);
    if (one === undefined) continue;
    const groups: string[] = standings.flatMap(({ isOpen }) =>
      severities.map((severity) =>
        !isOpen ? 'triaged' : REPORTED.includes(severity) ? 'reported' : 'below',
      ),
    );
    if (!groups.includes(one.group))
      broken.push(`${findingId} is reported as ${one.group}, but was ${groups}`);
    if (!severities.includes(one.severity)) broken.push(`${findingId} is reported as ${one.severity}`);
  }
  if (outcome === 'passed' && mustBlock) broken.push('passed, although a finding blocks');
  if (outcome === 'blocked' && !mayBlock) broken.push('blocked, although no finding blocks');
  return broken;
}

interface ReportedFinding {
  readonly id: string;
  readonly group: string;
  readonly severity: string;
}

function reportedFindings(report: string | undefined): ReportedFinding[] {
  const parsed: unknown = report === undefined ? undefined : JSON.parse(report);
  const list: unknown = isObject(parsed) ? parsed['findings'] : undefined;
  if (!Array.isArray(list)) throw new Error('there is a verdict, but no report of its findings');
  return list.filter(isObject).map((one) => {
    return { id: String(one['id']), group: String(one['group']), severity: String(one['severity']) };
  });
}
