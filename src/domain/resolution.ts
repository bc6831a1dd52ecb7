/** The resolutions that a user can set by a command in a comment. They are the service's words. */
export type ResolutionStatus = 'FALSE_POSITIVE' | 'WONT_FIX' | 'MITIGATED' | 'DUPLICATE' | 'NOT_STARTED';

/**
 * The reason codes that each status accepts, from the service's contract. The service ignores a code for `NOT_STARTED`.
 */
export const REASON_CODES: Readonly<Record<ResolutionStatus, readonly string[]>> = {
  FALSE_POSITIVE: [
    'not_reachable',
    'guarded_elsewhere',
    'intended_behavior',
    'misread_code',
    'bad_assumption',
  ],
  WONT_FIX: ['risk_accepted', 'out_of_scope', 'not_worth_fixing', 'code_being_removed'],
  MITIGATED: ['compensating_control', 'limited_exposure', 'monitored'],
  DUPLICATE: ['duplicate_of_finding', 'same_root_cause'],
  NOT_STARTED: [],
};
