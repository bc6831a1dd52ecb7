import type { PendingLaunch, ScanSubject } from '../../../src/domain/scan.ts';
import { BASE, HEAD } from './fake-api.ts';

/** What a launch in the tests asks for. */
export const subject: ScanSubject = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: BASE,
  headSha: HEAD,
  creditBudget: 20,
  areas: [],
};

/** A launch that the service has not answered yet. */
export const pendingLaunch: PendingLaunch = {
  projectId: 'p',
  headSha: HEAD,
  knownScanIds: ['old'],
  subject: subject,
};

/** The members of a scan that fully matches the subject. */
export const whole = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: BASE,
  headSha: HEAD,
  creditBudget: 20,
  areas: [],
  guidance: { from: 'nowhere' },
} as const;
