import type { Delivered } from '../../src/domain/delivered.ts';

/** No output was written: each was left out, or failed. */
export const NOTHING_DELIVERED: Delivered = {
  checkRunUrl: undefined,
  commentUrl: undefined,
  sarifFile: undefined,
  reportFile: undefined,
  checkRunInProgress: undefined,
};
