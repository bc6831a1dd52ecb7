/** The id of GitHub Actions on github.com. This app reports the results of jobs. */
const ACTIONS_APP_ID = 15_368;

/** The status checks that a branch requires. */
export interface RequiredChecks {
  /** Checks that a ruleset requires. */
  readonly byRuleset?: readonly string[];
  /** Checks that classic branch protection requires. */
  readonly byProtection?: readonly string[];
}

/** Makes the rule that requires these checks. It has the form of the rules in `GET /rules/branches/{branch}`. */
export function renderRequiredChecks(
  { byRuleset = [] }: RequiredChecks,
  repository: string,
): readonly unknown[] {
  if (byRuleset.length === 0) return [];
  return [
    {
      type: 'required_status_checks',
      parameters: {
        strict_required_status_checks_policy: false,
        required_status_checks: byRuleset.map((context) => ({ context, integration_id: ACTIONS_APP_ID })),
      },
      ruleset_source_type: 'Repository',
      ruleset_source: repository,
      ruleset_id: 9,
    },
  ];
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
    protection_url: `${api}/branches/${encodeURIComponent(name)}/protection`,
  };
}
