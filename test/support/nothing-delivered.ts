import type { Delivered } from '../../src/domain/check-output.ts';

/** A delivery that has no output. Each output was left out, or failed. */
export const NOTHING_DELIVERED: Delivered = {
  checkRunUrl: undefined,
  commentUrl: undefined,
  sarifFile: undefined,
  reportFile: undefined,
  checkRunInProgress: undefined,
};
