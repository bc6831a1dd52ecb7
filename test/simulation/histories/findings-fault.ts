import { isObject } from '../../../sandbox/json.ts';
import { BLOCKING, REPORTED } from './finding-model.ts';
import { MERGE_BASE } from './fixture-repository.ts';
import type { Job } from './job.ts';
import type { SimulatedHistory } from './simulated-history.ts';

/**
 * Compares a verdict with the data of the service: it needs a completed scan of this head and base, with each finding
 * reported exactly once, as it was at some moment of the run.
 */
export function findFalseVerdict(
  { environment, model }: SimulatedHistory,
  { plan, outputs, report, startedAt, mainEndedAt = startedAt }: Job,
  mergeBase: string,
): {
  readonly falseGreen: boolean;
  readonly lost: number;
  readonly doubled: number;
  readonly broken: string[];
} {
  const outcome = outputs?.outcome ?? '';
  const none = { falseGreen: false, lost: 0, doubled: 0, broken: [] };
  if (outcome !== 'passed' && outcome !== 'blocked') return none;
  const broken: string[] = [];
  const scan = environment.service.scans.find(({ id }) => id === outputs?.['scan-id']);
  if (scan === undefined || scan.status !== 'COMPLETED')
    return { ...none, falseGreen: outcome === 'passed', broken: [`${outcome} without a completed scan`] };
  if (scan.commit !== plan.headSha || scan.baseCommit !== mergeBase)
    return {
      ...none,
      falseGreen: outcome === 'passed',
      broken: [`${outcome} by the scan of another change`],
    };

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
    // The list and the detail may be read before and after a change.
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
  const falseGreen = outcome === 'passed' && mustBlock;
  if (falseGreen) broken.push('passed, although a finding blocks');
  if (outcome === 'blocked' && !mayBlock) broken.push('blocked, although no finding blocks');
  return { falseGreen, lost, doubled, broken };
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

export function mergeBaseOf(id: (name: string) => string): string {
  return id(MERGE_BASE);
}
