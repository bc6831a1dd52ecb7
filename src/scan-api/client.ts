import type { Finding } from '../domain/finding.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { LaunchedScan, Scan, ScanList } from '../domain/scan.ts';
import { advisedWait } from '../http/retry.ts';
import type { ApiError } from './api-error.ts';
import { type CallerOptions, type CallOptions, createCaller } from './call.ts';
import { type Decoded, pathSegment as segment } from './lookup.ts';
import { isOversize, PAGE_LIMITS, readAll } from './paginate.ts';
import { createPatience } from './patience.ts';
import { SEND_ATTEMPTS } from './retry.ts';
import * as wire from './wire.ts';
import { oversizeFinding } from './wire.ts';
import { type LaunchBody, publishBody } from './wire-writes.ts';

/**
 * The calls to the service that the action needs. Calls that only read are retried, except `scan`. A call throws only
 * if the caller passes an unusable id.
 *
 * A call checks the ids in the answer. It does not check any other text of the service.
 */
export type ScanApi = ReturnType<typeof createScanApi>;

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
  return `${baseUrl.replace(/\/api\/v1$/, '')}/public/scans/${segment(publicId)}`;
}

/** Our choice: the maximum number of attempts to read a sample of findings. */
const SAMPLE_ATTEMPTS = 2;
/** Our choice: the size of a sample of a project's findings. A few findings show which members all findings have. */
const SAMPLE_SIZE = 10;
/** Our choice: a list of more findings than this counts as long. A shorter list needs little memory. */
const LONG_LIST = 1_000;

export interface ScanApiOptions extends CallerOptions {
  /** Called after the first page of a list of more than 1,000 findings. */
  readonly onLongList?: () => void;
}

export function createScanApi(options: ScanApiOptions) {
  const { baseUrl, clock, random } = options;
  const { call, invalid } = createCaller(options);
  const project = (projectId: string) => `/projects/${segment(projectId)}`;
  const scanPath = (projectId: string, scanId: string) => `${project(projectId)}/scans/${segment(scanId)}`;
  const pageOf = (path: string, page: number, limit: number, query: Readonly<Record<string, string>> = {}) =>
    `${path}?${new URLSearchParams({ ...query, page: String(page), limit: String(limit) })}`;
  const findingPage = (projectId: string, page: number, limit: number, query = {}) => ({
    operation: 'list the findings' as const,
    path: pageOf(`${project(projectId)}/findings`, page, limit, query),
    decode: wire.decodeFindingPage,
  });

  return {
    token: (until: CallOptions) =>
      call(until, { operation: 'check the API token', path: '/token', decode: wire.decodeToken }),

    repositories(projectId: string, until: CallOptions) {
      const path = `${project(projectId)}/repositories`;
      return call(until, { operation: 'list the repositories', path, decode: wire.decodeRepositories });
    },

    presets(projectId: string, until: CallOptions) {
      const path = `${project(projectId)}/scan-presets`;
      return call(until, { operation: 'list the presets', path, decode: wire.decodePresets });
    },

    /** Reads the guidance that the service stores for the repository; null if there is none. */
    guidance(projectId: string, repositoryId: string, until: CallOptions) {
      const path = `${project(projectId)}/repositories/${segment(repositoryId)}/guidance`;
      return call(until, { operation: 'read the stored guidance', path, decode: wire.decodeGuidance });
    },

    /** Reads the first page of the project's scans, which has the newest scans. */
    scans: (projectId: string, until: CallOptions) =>
      call(until, {
        operation: 'list the scans',
        path: pageOf(`${project(projectId)}/scans`, 1, PAGE_LIMITS[0]),
        decode(json, { date }): Decoded<ScanList> {
          const page = wire.decodeScanPage(json);
          if (!page.ok) return page;
          const { items: scans, total } = page.value;
          return ok({ scans, complete: scans.length >= total, readAt: date });
        },
      }),

    /** Sends the launch once. If the answer is lost, credits may be reserved, so the caller decides what to do. */
    launch: (projectId: string, body: LaunchBody, until: CallOptions) =>
      call(until, {
        operation: 'launch the scan',
        method: 'POST',
        path: `${project(projectId)}/scans`,
        body,
        attempts: 1,
        atOnce: true,
        decode(json, { status, date }): Decoded<LaunchedScan> {
          if (status !== 202) return err(`HTTP ${status}, not 202`);
          const launched = wire.decodeLaunched(json);
          return launched.ok ? ok({ ...launched.value, acceptedAt: date }) : launched;
        },
      }),

    /** Reads the scan without retries, because the caller polls. */
    scan: async (projectId: string, scanId: string, until: CallOptions) =>
      call(until, {
        operation: 'read the scan',
        path: scanPath(projectId, scanId),
        attempts: 1,
        decode(json, { retryAfterSeconds }): Decoded<PolledScan> {
          const scan = wire.decodeScan(json, scanId);
          if (!scan.ok) return scan;
          return ok({ scan: scan.value, retryAfterMs: advisedWait('poll', retryAfterSeconds) });
        },
      }),

    /** Reads the scan with retries, for callers that read it once. */
    readScan: (projectId: string, scanId: string, until: CallOptions) =>
      call(until, {
        operation: 'read the scan',
        path: scanPath(projectId, scanId),
        decode: (json) => wire.decodeScan(json, scanId),
      }),

    /** Cancels the scan. This releases reserved credits, so the call does not wait for the rate limits of others. */
    cancel: (projectId: string, scanId: string, until: CallOptions) =>
      call<void>(until, {
        operation: 'cancel the scan',
        method: 'POST',
        path: `${scanPath(projectId, scanId)}/cancel`,
        atOnce: true,
        decode: wire.decodeCancelled,
      }),

    /**
     * Reads all findings of the scan, as the list shows them.
     * @param options with `isPaid`, a failed page is read again until our patience ends; default: four attempts
     */
    findings: (
      projectId: string,
      scanId: string,
      { isPaid = false, ...until }: CallOptions & { readonly isPaid?: boolean },
    ) =>
      readAll({
        readPage(page, limit) {
          const patience = isPaid ? createPatience(clock) : undefined;
          return call(until, { ...findingPage(projectId, page, limit, { scanId }), patience });
        },
        idOf: ({ id }) => id,
        tooLarge: oversizeFinding,
        onTotal(total) {
          if (total > LONG_LIST) options.onLongList?.();
        },
        beforeReadingAgain: () => clock.sleep(1_000 + random() * 1_000, until.signal),
        invalid: (problem, detail) => invalid('list the findings', 200, problem, detail),
      }),

    /** Reads one page of the project's findings as a sample. Retries a request once. */
    async sampleFindings(
      projectId: string,
      until: CallOptions,
    ): Promise<Result<readonly Finding[], ApiError>> {
      const readSample = (limit: number) =>
        call(until, { ...findingPage(projectId, 1, limit), attempts: SAMPLE_ATTEMPTS });
      const several = await readSample(SAMPLE_SIZE);
      const page = !several.ok && isOversize(several.error) ? await readSample(1) : several;
      return page.ok ? ok(page.value.items) : page;
    },

    /** Reads the detail of a finding. */
    finding: (
      projectId: string,
      findingId: string,
      { onThrottled, ...until }: CallOptions & { readonly onThrottled?: () => Promise<void> },
    ) =>
      call(until, {
        operation: 'read a finding',
        path: `${project(projectId)}/findings/${segment(findingId)}`,
        decode(json) {
          const found = wire.decodeFinding(json);
          const isOther = found.ok && found.value.id !== undefined && found.value.id !== findingId;
          return isOther ? err('`finding` is another finding') : found;
        },
        onThrottled,
      }),

    /** Publishes the scan. @param gated if true, the service generates a password for the page */
    publish: (projectId: string, scanId: string, gated: boolean, until: CallOptions) =>
      call(until, {
        operation: 'publish the scan',
        method: 'POST',
        path: `${scanPath(projectId, scanId)}/publish`,
        body: publishBody(gated),
        attempts: SEND_ATTEMPTS,
        onceAccepted: true,
        decode(json) {
          const published = wire.decodePublished(json);
          if (!published.ok) return published;
          return ok({ ...published.value, gated, url: publicScanPage(baseUrl, published.value.publicId) });
        },
      }),
  };
}
