import { REASON_STATES } from '../test/report/reason-states.ts';
import { sampleReport } from '../test/report/sample-report.ts';
import { SINCE_STATES } from '../test/report/since-states.ts';
import { manyFindings, STATES } from '../test/report/states.ts';
import type { GalleryState } from './gallery.ts';

const reports = { ...STATES, ...REASON_STATES, 'two-hundred-findings': sampleReport(manyFindings(200)) };

/** The states of the golden files, each reason, and a long list. */
export const EVERY_STATE: Readonly<Record<string, GalleryState>> = {
  ...SINCE_STATES,
  ...Object.fromEntries(Object.entries(reports).map(([name, report]) => [name, { report }])),
};
