/** One endpoint as the service's documentation describes it. */
export interface DocumentedEndpoint {
  readonly endpoint: string;
  /** The scope that the token needs. Undefined if any valid token is enough. */
  readonly scope: string | undefined;
  readonly success: number;
  /** The refusals of this endpoint, keyed by status. The refusals in `EVERYWHERE` are left out. */
  readonly refusals: Readonly<Record<string, readonly string[]>>;
  readonly query?: readonly string[];
}

/**
 * The refusals that every endpoint has. In addition, an endpoint with a scope has 403, and an endpoint of a project has
 * 404.
 */
export const EVERYWHERE: Readonly<Record<string, readonly string[]>> = {
  400: ['bad_request'],
  401: ['unauthorized'],
  429: ['rate_limited'],
  500: ['internal'],
};

const PROJECT = '/projects/{projectId}';
const REPOSITORY = `${PROJECT}/repositories/{repositoryId}`;
const SCAN = `${PROJECT}/scans/{scanId}`;
const FINDING = `${PROJECT}/findings/{findingId}`;
const CONFLICT = { 409: ['conflict'] };
const LAUNCH = {
  400: ['bad_request', 'diff_base_required', 'diff_base_not_allowed', 'diff_base_invalid'],
  402: ['insufficient_credits'],
  409: ['repository_initializing'],
  422: ['diff_empty'],
};

/** Every endpoint whose method and path are documented. */
export const DOCUMENTED_ENDPOINTS: readonly DocumentedEndpoint[] = [
  row('GET /token', undefined, 200),
  row(`GET ${PROJECT}/repositories`, 'read', 200),
  row(`GET ${REPOSITORY}/guidance`, 'read', 200),
  row(`PUT ${REPOSITORY}/guidance`, 'guidance:write', 200, CONFLICT),
  row(`GET ${REPOSITORY}/audit-areas`, 'read', 200, {}, ['branch']),
  row(`POST ${REPOSITORY}/audit-areas`, 'guidance:write', 201, CONFLICT),
  row(`DELETE ${REPOSITORY}/audit-areas/{areaKey}`, 'guidance:write', 200, CONFLICT),
  row(`GET ${PROJECT}/scan-presets`, 'read', 200),
  row(`GET ${PROJECT}/scans`, 'read', 200, {}, ['page', 'limit']),
  row(`POST ${PROJECT}/scans`, 'scans:launch', 202, LAUNCH),
  row(`GET ${SCAN}`, 'read', 200),
  row(`POST ${SCAN}/cancel`, 'scans:launch', 200),
  row(`POST ${SCAN}/publish`, 'publish', 200),
  row(`GET ${PROJECT}/findings`, 'read', 200, {}, ['page', 'limit', 'scanId']),
  row(`GET ${FINDING}`, 'read', 200, CONFLICT),
  row(`POST ${FINDING}/notes`, 'findings:write', 201, CONFLICT),
  row(`POST ${FINDING}/notes/{noteId}/pin`, 'findings:write', 200, CONFLICT),
  row(`PATCH ${FINDING}/resolution`, 'findings:write', 200, CONFLICT),
  row(`POST ${FINDING}/publish`, 'publish', 200, CONFLICT),
];

function row(
  endpoint: string,
  scope: string | undefined,
  success: number,
  refusals: DocumentedEndpoint['refusals'] = {},
  query: readonly string[] = [],
): DocumentedEndpoint {
  return { endpoint, scope, success, refusals, query };
}
