/** The id of GitHub Actions on github.com. This app reports the results of jobs. */
export const ACTIONS_APP_ID = 15_368;

/** The status checks that a branch requires. */
export interface RequiredChecks {
  /** Checks that a ruleset requires. */
  readonly byRuleset?: readonly string[];
  /** Checks that classic branch protection requires. */
  readonly byProtection?: readonly string[];
}

/**
 * Answers `GET /branches/{branch}`. A ruleset makes the branch protected, but the answer does not list the checks of
 * the ruleset.
 */
export function renderBranch(
  name: string,
  sha: string,
  { byRuleset = [], byProtection = [] }: RequiredChecks,
  api: string,
): Readonly<Record<string, unknown>> {
  return {
    name,
    commit: { sha, url: `${api}/commits/${sha}` },
    protected: byRuleset.length + byProtection.length > 0,
    protection: {
      enabled: byProtection.length > 0,
      required_status_checks: {
        enforcement_level: byProtection.length > 0 ? 'non_admins' : 'off',
        contexts: byProtection,
        checks: byProtection.map((context) => ({ context, app_id: ACTIONS_APP_ID })),
      },
    },
  };
}
