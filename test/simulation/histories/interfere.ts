import { createControl } from '../../../sandbox/scan-service/control.ts';
import { isTerminal } from '../../../sandbox/scan-service/scan-status.ts';
import type { ServiceState } from '../../../sandbox/scan-service/state.ts';
import type { FindingModel } from './finding-model.ts';
import type { Act } from './plan.ts';

/**
 * Changes a finding as people do, or the state of a scan as the service does. Does nothing if this finding or a running
 * scan does not exist yet.
 */
export function interfere(
  service: ServiceState,
  model: FindingModel,
  act: Extract<Act, { readonly kind: 'triage' | 'severity' | 'scan' }>,
): void {
  const control = createControl(service);
  if (act.kind === 'scan') {
    const scan = service.scans.findLast((one) => !isTerminal(one.status));
    if (act.does === 'fail next') control.fail('next');
    else if (act.does === 'cancel next') control.cancel('next');
    else if (scan !== undefined) control[act.does](scan.id);
    return;
  }
  const findings = [...service.findings.values()];
  const finding = findings[act.finding % Math.max(findings.length, 1)];
  if (finding === undefined) return;
  model.changed(finding);
  if (act.kind === 'triage') control.triage(finding.id, { resolutionStatus: act.resolution });
  else control.overrideSeverity(finding.id, act.severity);
}
