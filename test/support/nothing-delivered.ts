import type { Delivered } from '../../src/domain/delivered.ts';

/** Every place was left out, or failed. */
export const NOTHING_DELIVERED: Delivered = {
  checkRunUrl: undefined,
  commentUrl: undefined,
  sarifFile: undefined,
  reportFile: undefined,
  checkRunInProgress: undefined,
};
