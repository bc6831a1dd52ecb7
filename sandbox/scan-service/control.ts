import { stop } from './scan-life.ts';
import { isTerminal } from './scan-status.ts';
import type { FindingRecord, ScanRecord, ServiceState } from './state.ts';

export type Triage = Partial<
  Pick<FindingRecord, 'triageStatus' | 'confirmationEvidence' | 'resolutionStatus'>
>;

/** Stands for the next launch, in place of the id of a scan. */
const NEXT = 'next';

/**
 * Causes events that do not come through the API: actions of people in the app of the service, and failures of the
 * service.
 */
export type Control = ReturnType<typeof createControl>;

/**
 * Creates the control. Its methods throw for an unknown id. Otherwise a test could pass although its action had no
 * effect.
 */
export function createControl(state: ServiceState) {
  const scan = (id: string): ScanRecord => found(state.scans, id, 'scan');
  const finding = (id: string): FindingRecord => found([...state.findings.values()], id, 'finding');
  const end = (id: string, status: 'FAILED' | 'CANCELLED') => {
    if (id === NEXT) state.next = { ...state.next, ending: status };
    else if (isTerminal(scan(id).status)) throw new Error(`the scan ${id} is already ${scan(id).status}`);
    else stop(state, scan(id), status);
  };
  return {
    /** Pauses a scan. With the value `next`, pauses the next scan when it is launched. */
    hold(id: string) {
      if (id === NEXT) state.next = { ...state.next, held: true };
      else scan(id).held = true;
    },
    /** Continues a paused scan. */
    release(id: string) {
      scan(id).held = false;
    },
    /** Ends a scan as FAILED. With the value `next`, ends the next scan in its last phase. */
    fail: (id: string) => end(id, 'FAILED'),
    /**
     * Ends a scan as CANCELLED, as a person can do in the service's app. With the value `next`, ends the next scan in
     * its last phase.
     */
    cancel: (id: string) => end(id, 'CANCELLED'),
    triage(id: string, verdict: Triage) {
      Object.assign(finding(id), verdict);
    },
    /** Overrides a severity. Null removes the override. Accepts any text, because the service can add severities. */
    overrideSeverity(id: string, severity: string | null) {
      finding(id).severityOverride = severity;
    },
    revokeToken(token: string) {
      const record = state.tokens.find((one) => one.token === token);
      if (record === undefined) throw new Error('there is no such token');
      record.revoked = true;
    },
  };
}

function found<T extends { readonly id: string }>(records: readonly T[], id: string, kind: string): T {
  const record = records.find((one) => one.id === id);
  if (record === undefined) throw new Error(`there is no ${kind} ${id}`);
  return record;
}

/** Returns a control that also saves the state after each action. */
export function savingAfter(control: Control, save: () => void): Control {
  return new Proxy(control, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        Reflect.apply(member, target, args);
        save();
      };
    },
  });
}
