import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';

/**
 * Names that the fake server assumes, because the service's document does not show them. If the real service uses other
 * names, only this list needs a correction.
 */
export const NAMES = {
  token: {
    project: 'project',
    organization: 'organization',
    scopes: 'scopes',
    allowlist: 'repositoryAllowlist',
    expiry: 'expiresAt',
    spendLimit: 'spendLimit',
  },
  launch: { repository: 'repositoryId', commit: 'commit' },
  launched: { scan: 'scanId' },
  scan: { id: 'id', diffBase: 'baseCommit' },
  progress: { weighted: 'weightedCompletion', reserved: 'reservedCredits' },
  finding: { id: 'id', path: 'filePath' },
  findingDetail: {
    description: 'description',
    proof: 'proofOfConcept',
    fix: 'recommendedFix',
    notes: 'notes',
  },
  note: { record: 'note', id: 'noteId', content: 'content' },
  /** The start of the path of a public page. The service's document does not name this path. */
  publicPages: '/public/',
  /** The path of the machine-readable contract. The service's document only says that the contract is published. */
  contract: '/openapi.json',
} as const;

const TERMINAL = ['CANCELLED', 'COMPLETED', 'FAILED'];
/**
 * The most reads of one scan. The fake server needs fewer reads to end a scan. A scan that never ends fails the test at
 * this limit.
 */
const MOST_READS = 20;

const ScanStatus = v.looseObject({ scan: v.looseObject({ status: v.string() }) });

/** An answer of the service. `body` is parsed, because every answer is JSON. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

export type Launch = {
  readonly repository: string;
  readonly commit: string;
  readonly presetRef: string;
  readonly creditBudget: unknown;
  readonly baseCommit?: string;
  readonly guidance?: string;
  readonly auditAreaKeys?: unknown;
};

/** Query parameters, by their names in the address. */
export type Query = Readonly<Record<string, string | number>>;
export type Client = ReturnType<typeof clientOf>;

/** Reads a response. Throws if it is not JSON. */
export async function answerOf(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type');
  if (!/^application\/json\b/.test(type ?? '')) {
    throw new Error(`${response.url} answered ${response.status} with ${type}, not with JSON.`);
  }
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

/** Replaces each placeholder `{…}` of a documented path with the next id. */
function filled(route: string, ids: readonly string[]): string {
  const left = [...ids];
  return route.replace(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ''));
}

/**
 * A client with one method for each endpoint whose path the service's document shows. Refusals are returned as answers.
 * `answered` holds the endpoints that have given a 2xx answer.
 * @param token null sends no token at all
 */
export function clientOf(baseUrl: string, token: string | null, projectId: string) {
  const answered = new Set<string>();

  async function ask(endpoint: string, ids: readonly string[], body?: unknown, query: Query = {}) {
    const [method = '', route = ''] = endpoint.split(' ');
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) search.set(key, String(value));
    const response = await fetch(`${baseUrl}${filled(route, ids)}${search.size === 0 ? '' : `?${search}`}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) answered.add(endpoint);
    return answerOf(response);
  }

  /** Calls an endpoint of the project. `ids` are the ids that follow the project's id in the path. */
  const inProject = (endpoint: string, ids: readonly string[] = [], body?: unknown, query?: Query) =>
    ask(endpoint.replace(' ', ' /projects/{projectId}'), [projectId, ...ids], body, query);

  const scan = (scanId: string) => inProject('GET /scans/{scanId}', [scanId]);

  return {
    answered,
    token: () => ask('GET /token', []),

    repositories: () => inProject('GET /repositories'),
    presets: () => inProject('GET /scan-presets'),
    guidance: (repository: string) => inProject('GET /repositories/{repositoryId}/guidance', [repository]),
    setGuidance: (repository: string, body: object) =>
      inProject('PUT /repositories/{repositoryId}/guidance', [repository], body),
    auditAreas: (repository: string, query: Query = {}) =>
      inProject('GET /repositories/{repositoryId}/audit-areas', [repository], undefined, query),
    addAuditArea: (repository: string, body: object) =>
      inProject('POST /repositories/{repositoryId}/audit-areas', [repository], body),
    deleteAuditArea: (repository: string, key: string) =>
      inProject('DELETE /repositories/{repositoryId}/audit-areas/{areaKey}', [repository, key]),

    scans: (query: Query = {}) => inProject('GET /scans', [], undefined, query),
    launch: ({ repository, commit, ...named }: Launch) =>
      inProject('POST /scans', [], {
        ...named,
        [NAMES.launch.repository]: repository,
        [NAMES.launch.commit]: commit,
      }),
    scan,
    cancel: (scanId: string) => inProject('POST /scans/{scanId}/cancel', [scanId]),
    publishScan: (scanId: string, body: object) => inProject('POST /scans/{scanId}/publish', [scanId], body),

    findings: (query: Query = {}) => inProject('GET /findings', [], undefined, query),
    finding: (finding: string) => inProject('GET /findings/{findingId}', [finding]),
    addNote: (finding: string, body: object) =>
      inProject('POST /findings/{findingId}/notes', [finding], body),
    pinNote: (finding: string, note: string, body: object) =>
      inProject('POST /findings/{findingId}/notes/{noteId}/pin', [finding, note], body),
    resolve: (finding: string, body: object) =>
      inProject('PATCH /findings/{findingId}/resolution', [finding], body),
    publishFinding: (finding: string, body: object) =>
      inProject('POST /findings/{findingId}/publish', [finding], body),

    contract: async () => answerOf(await fetch(new URL(NAMES.contract, baseUrl))),

    /** The address of the public page of a published artifact. */
    publicPage: (kind: 'scans' | 'findings', publicId: string) =>
      new URL(`${NAMES.publicPages}${kind}/${encodeURIComponent(publicId)}`, baseUrl).href,

    /**
     * Reads a scan until its state is terminal, and returns every answer. Between two reads, waits as long as the last
     * answer asks.
     */
    async follow(scanId: string): Promise<Answer[]> {
      const answers: Answer[] = [];
      while (answers.length < MOST_READS) {
        const answer = await scan(scanId);
        answers.push(answer);
        if (TERMINAL.includes(v.parse(ScanStatus, answer.body).scan.status)) return answers;
        await wait(Number(answer.headers.get('retry-after')) * 1000);
      }
      throw new Error(`The scan ${scanId} had not ended after ${MOST_READS} reads.`);
    },
  };
}
