import type { Clock } from '../clock.ts';
import type { Finding } from '../domain/finding.ts';
import type {
  ListEntry,
  Preset,
  ProjectRepository,
  Publication,
  TokenInformation,
} from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { LaunchedScan, Scan, ScanList } from '../domain/scan.ts';
import type { Debug } from '../http/attempt.ts';
import { advisedWait, createPause, type Pause, withRetry } from '../http/retry.ts';
import type { ApiError, InvalidAnswer, Operation } from './api-error.ts';
import { createHttp, type HttpAnswer } from './http.ts';
import { type Decoded, pathSegment, pathSegment as segment } from './lookup.ts';
import { isOversize, PAGE_LIMITS, readAll } from './paginate.ts';
import { createPatience, type Patience, waitPatiently } from './patience.ts';
import { afterFailedCall, READ_ATTEMPTS, SEND_ATTEMPTS } from './retry.ts';
import * as wire from './wire.ts';
import { oversizeFinding } from './wire.ts';
import { type LaunchBody, publishBody } from './wire-writes.ts';

/** The signal ends the call and its waits. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/**
 * The calls to the service that the action needs. Calls that only read are retried, except `scan`. A call throws only
 * if the caller passes an unusable id.
 *
 * A call checks the ids in the answer. It does not check any other text of the service.
 */
export interface ScanApi {
  token(options: CallOptions): Promise<Result<TokenInformation, ApiError>>;
  repositories(
    projectId: string,
    options: CallOptions,
  ): Promise<Result<readonly ListEntry<ProjectRepository>[], ApiError>>;
  presets(projectId: string, options: CallOptions): Promise<Result<readonly ListEntry<Preset>[], ApiError>>;
  /** The guidance that the service stores for the repository; null if there is none. */
  guidance(
    projectId: string,
    repositoryId: string,
    options: CallOptions,
  ): Promise<Result<string | null, ApiError>>;
  /** Reads the first page of the project's scans, which has the newest scans. */
  scans(projectId: string, options: CallOptions): Promise<Result<ScanList, ApiError>>;
  /** Sends the launch once. If the answer is lost, credits may be reserved, so the caller decides what to do. */
  launch(projectId: string, body: LaunchBody, options: CallOptions): Promise<Result<LaunchedScan, ApiError>>;
  /** Reads the scan without retries, because the caller polls. */
  scan(projectId: string, scanId: string, options: CallOptions): Promise<Result<PolledScan, ApiError>>;
  /** Reads the scan with retries, for callers that read it once. */
  readScan(projectId: string, scanId: string, options: CallOptions): Promise<Result<Scan, ApiError>>;
  cancel(projectId: string, scanId: string, options: CallOptions): Promise<Result<void, ApiError>>;
  /**
   * Reads all findings of the scan, as the list shows them.
   * @param options with `isPaid`, a failed page is read again until our patience ends; default: four attempts
   */
  findings(
    projectId: string,
    scanId: string,
    options: CallOptions & { readonly isPaid?: boolean },
  ): Promise<Result<readonly Finding[], ApiError>>;
  /** Reads one page of the project's findings as a sample. Retries a request once. */
  sampleFindings(projectId: string, options: CallOptions): Promise<Result<readonly Finding[], ApiError>>;
  /**
   * Reads the detail of a finding.
   * @param options `onThrottled` is called when the service asks for a wait; its promise resolves before the request is
   * repeated
   */
  finding(
    projectId: string,
    findingId: string,
    options: CallOptions & { readonly onThrottled?: () => Promise<void> },
  ): Promise<Result<Finding, ApiError>>;
  /** Publishes the scan. @param gated if true, the service generates a password for the page */
  publish(
    projectId: string,
    scanId: string,
    gated: boolean,
    options: CallOptions,
  ): Promise<Result<Publication, ApiError>>;
}

export interface PolledScan {
  readonly scan: Scan;
  /**
   * The wait before the next poll, in milliseconds. Undefined if the service advises no wait. A longer wait than our
   * limit is cut to the limit.
   */
  readonly retryAfterMs: number | undefined;
}

/**
 * The address of a scan's public page. We assume that the page is on the server of the API, at the path in the
 * contract.
 */
export function publicScanPage(baseUrl: string, publicId: string): string {
  return `${baseUrl.replace(/\/api\/v1$/, '')}/public/scans/${pathSegment(publicId)}`;
}

/** Our choice: the maximum number of attempts to read a sample of findings. */
const SAMPLE_ATTEMPTS = 2;
/** Our choice: the size of a sample of a project's findings. A few findings show which members all findings have. */
const SAMPLE_SIZE = 10;
/** Our choice: a list of more findings than this counts as long. A shorter list needs little memory. */
const LONG_LIST = 1_000;

export interface ScanApiOptions {
  /** Ends with `/api/v1`, without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: typeof globalThis.fetch;
  /** See `HttpOptions`. */
  readonly showMessages: () => Promise<boolean>;
  readonly attemptTimeoutMs?: number;
  /** See `HttpOptions`. */
  readonly leftMs?: () => number;
  /** Receives one line per request. Undefined if there is no debug log. */
  readonly debug?: Debug | undefined;
  /** Called after the first page of a list of more than 1,000 findings. */
  readonly onLongList?: () => void;
}

interface RepeatOptions extends CallOptions {
  readonly attempts: number;
  readonly onceAccepted?: boolean;
  readonly onThrottled?: (() => Promise<void>) | undefined;
  /** Replaces `attempts`. */
  readonly patience?: Patience | undefined;
  /** Holds back the requests while a rate limit lasts. Default: the pause that all calls share. */
  readonly pause?: Pause;
}

/** A value that the service answered with. */
interface Read<T> extends Pick<HttpAnswer, 'retryAfterSeconds' | 'date'> {
  readonly value: T;
}

export function createScanApi(options: ScanApiOptions): ScanApi {
  const { baseUrl, clock, random } = options;
  const http = createHttp(options);
  const sharedPause = createPause(clock);

  const invalid = (
    operation: Operation,
    status: number,
    problem: InvalidAnswer['problem'],
    detail: string,
  ): InvalidAnswer => ({
    kind: 'invalid',
    operation,
    status,
    problem,
    detail: http.redact(detail),
    retryAfterSeconds: undefined,
  });

  function decoded<T>(operation: Operation, answer: HttpAnswer, value: Decoded<T>): Result<T, ApiError> {
    return value.ok ? value : err(invalid(operation, answer.status, 'wrong-shape', value.error));
  }

  /** @param onceAccepted if true, a request that the service may have acted on is not repeated */
  function repeated<T>(
    { signal, attempts, onceAccepted = false, onThrottled, patience, pause = sharedPause }: RepeatOptions,
    call: (attempt: number) => Promise<Result<T, ApiError>>,
  ): Promise<Result<T, ApiError>> {
    let turn: Promise<void> | undefined;
    const afterFailure = (error: ApiError, made: number) => {
      const after = afterFailedCall(error, made, { attempts, onceAccepted, random });
      // A page that is too large is asked for in a smaller size.
      if (patience !== undefined && !isOversize(error)) {
        const waitMs = waitPatiently(patience, error, random);
        return { ...after, again: waitMs !== undefined, waitMs: waitMs ?? 0 };
      }
      if (after.again && after.forAll) turn = onThrottled?.();
      return after;
    };
    return withRetry({ clock, signal, pause, afterFailure }, async (attempt) => {
      if (turn !== undefined) {
        await turn;
        // While this request waited for its turn, the service may have asked all requests to wait.
        await pause.over(signal);
      }
      return call(attempt);
    });
  }

  async function get<T>(
    operation: Operation,
    path: string,
    decode: (json: unknown) => Decoded<T>,
    { attempts = READ_ATTEMPTS, ...call }: Partial<RepeatOptions> & CallOptions,
  ): Promise<Result<Read<T>, ApiError>> {
    const { signal } = call;
    return repeated({ ...call, attempts }, async (attempt) => {
      const answer = await http.request({ operation, method: 'GET', path, signal, attempt });
      if (!answer.ok) return answer;
      const value = decoded(operation, answer.value, decode(answer.value.json));
      return value.ok ? ok({ ...answer.value, value: value.value }) : value;
    });
  }

  const value = async <T>(read: Promise<Result<{ value: T }, ApiError>>): Promise<Result<T, ApiError>> => {
    const answer = await read;
    return answer.ok ? ok(answer.value.value) : answer;
  };
  const project = (projectId: string) => `/projects/${segment(projectId)}`;
  const scanPath = (projectId: string, scanId: string) => `${project(projectId)}/scans/${segment(scanId)}`;
  const getScan = (projectId: string, scanId: string, attempts: number, { signal }: CallOptions) => {
    const decode = (json: unknown) => wire.decodeScan(json, scanId);
    return get('read the scan', scanPath(projectId, scanId), decode, { attempts, signal });
  };

  return {
    token: (call) => value(get('check the API token', '/token', wire.decodeToken, call)),
    repositories: (projectId, call) =>
      value(
        get('list the repositories', `${project(projectId)}/repositories`, wire.decodeRepositories, call),
      ),
    presets: (projectId, call) =>
      value(get('list the presets', `${project(projectId)}/scan-presets`, wire.decodePresets, call)),

    guidance: (projectId, repositoryId, call) => {
      const path = `${project(projectId)}/repositories/${segment(repositoryId)}/guidance`;
      return value(get('read the stored guidance', path, wire.decodeGuidance, call));
    },

    async scans(projectId, { signal }) {
      const query = new URLSearchParams({ page: '1', limit: String(PAGE_LIMITS[0]) });
      const path = `${project(projectId)}/scans?${query}`;
      const page = await get('list the scans', path, wire.decodeScanPage, { signal });
      if (!page.ok) return page;
      const { items: scans, total } = page.value.value;
      return ok({ scans, complete: scans.length >= total, readAt: page.value.date });
    },

    async launch(projectId, body, { signal }) {
      const operation = 'launch the scan';
      const path = `${project(projectId)}/scans`;
      const answer = await http.request({ operation, method: 'POST', path, body, signal, attempt: 1 });
      if (!answer.ok) return answer;
      const { status, json } = answer.value;
      if (status !== 202) return err(invalid(operation, status, 'wrong-shape', `HTTP ${status}, not 202`));
      const launched = decoded(operation, answer.value, wire.decodeLaunched(json));
      if (!launched.ok) return launched;
      return ok({ ...launched.value, acceptedAt: answer.value.date });
    },

    async scan(projectId, scanId, call) {
      const answer = await getScan(projectId, scanId, 1, call);
      if (!answer.ok) return answer;
      const { value: scan, retryAfterSeconds } = answer.value;
      return ok({ scan, retryAfterMs: advisedWait('poll', retryAfterSeconds) });
    },

    readScan: (projectId, scanId, call) => value(getScan(projectId, scanId, READ_ATTEMPTS, call)),

    cancel: (projectId, scanId, { signal }) =>
      // A cancellation releases reserved credits, so this request does not wait for the rate limits of other calls.
      repeated({ signal, attempts: READ_ATTEMPTS, pause: createPause(clock) }, async (attempt) => {
        const operation = 'cancel the scan';
        const path = `${scanPath(projectId, scanId)}/cancel`;
        const answer = await http.request({ operation, method: 'POST', path, signal, attempt });
        if (!answer.ok) return answer;
        const done = decoded(operation, answer.value, wire.decodeCancelled(answer.value.json));
        return done.ok ? ok(undefined) : done;
      }),

    findings(projectId, scanId, { signal, isPaid = false }) {
      const operation = 'list the findings';
      return readAll({
        readPage: (page, limit) => {
          const query = new URLSearchParams({ scanId, page: String(page), limit: String(limit) });
          const path = `${project(projectId)}/findings?${query}`;
          const patience = isPaid ? createPatience(clock) : undefined;
          return value(get(operation, path, wire.decodeFindingPage, { signal, patience }));
        },
        idOf: ({ id }) => id,
        tooLarge: oversizeFinding,
        onTotal: (total) => {
          if (total > LONG_LIST) options.onLongList?.();
        },
        beforeReadingAgain: () => clock.sleep(1_000 + random() * 1_000, signal),
        invalid: (problem, detail) => invalid(operation, 200, problem, detail),
      });
    },

    async sampleFindings(projectId, { signal }) {
      const readSample = (limit: number) => {
        const query = new URLSearchParams({ page: '1', limit: String(limit) });
        const path = `${project(projectId)}/findings?${query}`;
        const call = { attempts: SAMPLE_ATTEMPTS, signal };
        return value(get('list the findings', path, wire.decodeFindingPage, call));
      };
      const several = await readSample(SAMPLE_SIZE);
      const page = !several.ok && isOversize(several.error) ? await readSample(1) : several;
      return page.ok ? ok(page.value.items) : page;
    },

    async finding(projectId, findingId, call) {
      const operation = 'read a finding';
      const path = `${project(projectId)}/findings/${segment(findingId)}`;
      const answer = await value(get(operation, path, wire.decodeFinding, call));
      const other = answer.ok && answer.value.id !== undefined && answer.value.id !== findingId;
      return other ? err(invalid(operation, 200, 'wrong-shape', '`finding` is another finding')) : answer;
    },

    publish: (projectId, scanId, gated, { signal }) =>
      repeated({ signal, attempts: SEND_ATTEMPTS, onceAccepted: true }, async (attempt) => {
        const operation = 'publish the scan';
        const path = `${scanPath(projectId, scanId)}/publish`;
        const body = publishBody(gated);
        const answer = await http.request({ operation, method: 'POST', path, body, signal, attempt });
        if (!answer.ok) return answer;
        const published = decoded(operation, answer.value, wire.decodePublished(answer.value.json));
        if (!published.ok) return published;
        return ok({ ...published.value, gated, url: publicScanPage(baseUrl, published.value.publicId) });
      }),
  };
}
