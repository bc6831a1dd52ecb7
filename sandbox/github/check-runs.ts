import type { Answer } from '../faults/interception.ts';
import { inSeconds, type ServerClock } from '../faults/server-clock.ts';
import type { JsonObject } from '../json.ts';
import { found, NOT_FOUND, refuse } from './answer.ts';
import {
  type CheckRunRequest,
  readCreation,
  readUpdate,
  type StoredAnnotation,
} from './check-run-request.ts';
import { type ListRequest, paged } from './paging.ts';
import type { Urls } from './pull-requests.ts';

/** A check run with all its annotations. */
export interface CheckRunRecord {
  readonly id: number;
  readonly headSha: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly detailsUrl: string | null;
  readonly htmlUrl: string;
  readonly status: NonNullable<CheckRunRequest['status']>;
  readonly conclusion: NonNullable<CheckRunRequest['conclusion']> | null;
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly output: Record<'title' | 'summary' | 'text', string | null>;
  readonly annotations: readonly StoredAnnotation[];
  /** The bodies of all requests that created or changed the check run. The oldest is first. */
  readonly history: readonly JsonObject[];
}

export type CheckRunStore = ReturnType<typeof createCheckRunStore>;

const FIRST_ID = 1001;
/** The app of the workflow token, with GitHub's slug and id. */
const APP = { id: 15_368, slug: 'github-actions', name: 'GitHub Actions' };

const NO_OUTPUT = { title: null, summary: null, text: null };

export function createCheckRunStore(urls: Urls, clock: ServerClock) {
  const all: CheckRunRecord[] = [];
  const now = () => inSeconds(clock.now());
  return {
    /** All check runs, the oldest first. Requests change this list. */
    all,
    /**
     * Creates a check run. `resolve` finds the commit of `head_sha`. If there is no such commit, the answer is GitHub's
     * 422.
     */
    async create(body: unknown, resolve: (sha: string) => Promise<string | undefined>): Promise<Answer> {
      const request = readCreation(body);
      if ('refusal' in request) return request.refusal;
      const { name, head_sha, started_at = now() } = request;
      const headSha = await resolve(head_sha);
      if (headSha === undefined) return refuse(422, `No commit found for SHA: ${head_sha}`);
      const id = FIRST_ID + all.length;
      const fresh: CheckRunRecord = {
        id,
        headSha,
        name,
        externalId: null,
        detailsUrl: null,
        htmlUrl: `${urls.html}/runs/${id}`,
        status: 'queued',
        conclusion: null,
        startedAt: started_at,
        completedAt: null,
        output: NO_OUTPUT,
        annotations: [],
        history: [],
      };
      const record = apply(fresh, request, Object(body), now());
      all.push(record);
      return { status: 201, body: render(record, urls) };
    },
    update: (id: number, body: unknown): Answer => {
      const index = all.findIndex((record) => record.id === id);
      const before = all[index];
      if (before === undefined) return NOT_FOUND;
      const request = readUpdate(body);
      if ('refusal' in request) return request.refusal;
      const record = apply(before, request, Object(body), now());
      all[index] = record;
      return found(render(record, urls));
    },
    read: (id: number): Answer => {
      const record = all.find((one) => one.id === id);
      return found(record && render(record, urls));
    },
    list: (headSha: string, call: ListRequest): Answer => {
      const { query } = call;
      const newestFirst = all
        .filter(
          (record) =>
            record.headSha === headSha &&
            (query.get('check_name') ?? record.name) === record.name &&
            (query.get('status') ?? record.status) === record.status &&
            (query.get('app_id') ?? String(APP.id)) === String(APP.id),
        )
        .reverse();
      const chosen = query.get('filter') === 'all' ? newestFirst : latestOf(newestFirst);
      return paged(call, chosen, (page) => ({
        total_count: chosen.length,
        check_runs: page.map((record) => render(record, urls)),
      }));
    },
  };
}

/** Keeps the first check run of each name. */
export function latestOf(newestFirst: readonly CheckRunRecord[]): readonly CheckRunRecord[] {
  return newestFirst.filter(({ name }, at) => newestFirst.findIndex((run) => run.name === name) === at);
}

/**
 * Applies a request to a check run. A new output replaces title, summary and text. Its annotations are added to those
 * of the check run.
 */
function apply(
  before: CheckRunRecord,
  request: CheckRunRequest,
  body: JsonObject,
  now: string,
): CheckRunRecord {
  const { status = before.status, output } = request;
  const { annotations = [], ...texts } = output ?? {};
  return {
    ...before,
    name: request.name ?? before.name,
    externalId: request.external_id ?? before.externalId,
    detailsUrl: request.details_url ?? before.detailsUrl,
    status,
    conclusion: status === 'completed' ? (request.conclusion ?? before.conclusion) : null,
    startedAt: request.started_at ?? before.startedAt,
    completedAt: status === 'completed' ? (request.completed_at ?? before.completedAt ?? now) : null,
    output: output === undefined ? before.output : { ...NO_OUTPUT, ...texts },
    annotations: [...before.annotations, ...annotations],
    history: [...before.history, body],
  };
}

function render(record: CheckRunRecord, urls: Urls): unknown {
  const url = `${urls.api}/check-runs/${record.id}`;
  return {
    id: record.id,
    head_sha: record.headSha,
    external_id: record.externalId ?? '',
    url,
    html_url: record.htmlUrl,
    details_url: record.detailsUrl ?? record.htmlUrl,
    status: record.status,
    conclusion: record.conclusion,
    started_at: record.startedAt,
    completed_at: record.completedAt,
    output: {
      ...record.output,
      annotations_count: record.annotations.length,
    },
    name: record.name,
    app: APP,
    pull_requests: [],
  };
}
