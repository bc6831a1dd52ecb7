import type { Answer } from '../faults/interception.ts';
import { inSeconds, type ServerClock } from '../faults/server-clock.ts';
import type { JsonObject } from '../json.ts';
import { NOT_FOUND, refuse } from './answer.ts';
import type { StoredAnnotation } from './check-annotation.ts';
import { type OutputReading, readOutput, type StoredOutput } from './check-output.ts';
import { type CheckRunFields, type Conclusion, readCheckRunFields, type Status } from './check-run-fields.ts';
import { linkHeader, readPage, slicePage } from './paging.ts';

/** A check run with all its annotations. */
export interface CheckRunRecord {
  readonly id: number;
  readonly headSha: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly detailsUrl: string | null;
  readonly htmlUrl: string;
  readonly status: Status;
  readonly conclusion: Conclusion | null;
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly output: StoredOutput;
  readonly annotations: readonly StoredAnnotation[];
  /** The bodies of all requests that created or changed the check run. The oldest is first. */
  readonly history: readonly JsonObject[];
}

export interface CheckRunStore {
  /** All check runs, the oldest first. Requests change this list. */
  readonly all: readonly CheckRunRecord[];
  /**
   * Creates a check run. `resolve` finds the commit of `head_sha`. If there is no such commit, the answer is GitHub's
   * 422.
   */
  create(body: JsonObject, resolve: (sha: string) => Promise<string | undefined>): Promise<Answer>;
  update(id: number, body: JsonObject): Answer;
  read(id: number): Answer;
  list(headSha: string, query: URLSearchParams, url: string): Answer;
}

interface Urls {
  readonly api: string;
  readonly html: string;
}

const FIRST_ID = 1001;
/** The app of the workflow token, with GitHub's slug and id. */
const APP = { id: 15_368, slug: 'github-actions', name: 'GitHub Actions' };

export function createCheckRunStore(urls: Urls, clock: ServerClock): CheckRunStore {
  const all: CheckRunRecord[] = [];
  const now = () => inSeconds(clock.now());
  return {
    all,
    create: async (body, resolve) => {
      const fields = readCheckRunFields(body, ['name', 'head_sha']);
      if ('refusal' in fields) return fields.refusal;
      const output = readOutput(body['output'], true);
      if (output !== undefined && 'refusal' in output) return output.refusal;
      const headSha = await resolve(fields.headSha ?? '');
      if (headSha === undefined) return refuse(422, `No commit found for SHA: ${fields.headSha}`);
      const id = FIRST_ID + all.length;
      const fresh: CheckRunRecord = {
        id,
        headSha,
        name: fields.name ?? '',
        externalId: null,
        detailsUrl: null,
        htmlUrl: `${urls.html}/runs/${id}`,
        status: 'queued',
        conclusion: null,
        startedAt: fields.startedAt ?? now(),
        completedAt: null,
        output: { title: null, summary: null, text: null },
        annotations: [],
        history: [],
      };
      const record = apply(fresh, fields, output, body, now());
      all.push(record);
      return { status: 201, body: render(record, urls) };
    },
    update: (id, body) => {
      const index = all.findIndex((record) => record.id === id);
      const before = all[index];
      if (before === undefined) return NOT_FOUND;
      const fields = readCheckRunFields(body, []);
      if ('refusal' in fields) return fields.refusal;
      const output = readOutput(body['output'], false);
      if (output !== undefined && 'refusal' in output) return output.refusal;
      const record = apply(before, fields, output, body, now());
      all[index] = record;
      return { status: 200, body: render(record, urls) };
    },
    read: (id) => {
      const record = all.find((one) => one.id === id);
      return record === undefined ? NOT_FOUND : { status: 200, body: render(record, urls) };
    },
    list: (headSha, query, url) => {
      const wanted = all.filter(
        (record) =>
          record.headSha === headSha &&
          (query.get('check_name') ?? record.name) === record.name &&
          (query.get('status') ?? record.status) === record.status &&
          (query.get('app_id') ?? String(APP.id)) === String(APP.id),
      );
      const newestFirst = wanted.reverse();
      const latest = newestFirst.filter(
        (record, at) => newestFirst.findIndex(({ name }) => name === record.name) === at,
      );
      const chosen = query.get('filter') === 'all' ? newestFirst : latest;
      const page = readPage(query);
      const check_runs = slicePage(chosen, page).map((record) => render(record, urls));
      const headers = linkHeader(url, query, chosen.length, page);
      return { status: 200, headers, body: { total_count: chosen.length, check_runs } };
    },
  };
}

/**
 * Applies a request to a check run. A new output replaces title, summary and text. Its annotations are added to those
 * of the check run.
 */
function apply(
  before: CheckRunRecord,
  fields: CheckRunFields,
  output: OutputReading | undefined,
  body: JsonObject,
  now: string,
): CheckRunRecord {
  const status = fields.status ?? before.status;
  return {
    ...before,
    name: fields.name ?? before.name,
    externalId: fields.externalId ?? before.externalId,
    detailsUrl: fields.detailsUrl ?? before.detailsUrl,
    status,
    conclusion: status === 'completed' ? (fields.conclusion ?? before.conclusion) : null,
    startedAt: fields.startedAt ?? before.startedAt,
    completedAt: status === 'completed' ? (fields.completedAt ?? before.completedAt ?? now) : null,
    output: output?.output ?? before.output,
    annotations: [...before.annotations, ...(output?.annotations ?? [])],
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
      annotations_url: `${url}/annotations`,
    },
    name: record.name,
    check_suite: { id: 1 },
    app: APP,
    pull_requests: [],
  };
}
