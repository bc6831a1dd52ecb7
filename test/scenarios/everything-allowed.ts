import { ALLOWABLE_REASONS } from '../../src/domain/result.ts';

/** Inputs that allow every reason that can be allowed. */
export const EVERYTHING_ALLOWED = { 'allow-unscanned': ALLOWABLE_REASONS.join(', ') };
