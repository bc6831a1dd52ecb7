import { outputsOf } from '../../src/deliver/outputs.ts';
import { sampleReport } from '../unit/report/sample-report.ts';

/** The names of all outputs, in the order in which they are written. */
export const OUTPUT_NAMES = Object.keys(outputsOf(sampleReport([])));
