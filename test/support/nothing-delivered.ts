import type { Delivered } from '../../src/domain/delivered.ts';

/** A delivery that has no output. Each output was left out, or failed. */
export const NOTHING_DELIVERED: Delivered = {
  checkRunUrl: undefined,
  commentUrl: undefined,
  sarifFile: undefined,
  reportFile: undefined,
  checkRunInProgress: undefined,
};
