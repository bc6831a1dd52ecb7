import { startServer } from '../faults/server.ts';
import { createControl, savingAfter } from './control.ts';
import { createState } from './create-state.ts';
import { publishExchange } from './exchanges.ts';
import type { ScanServiceOptions } from './options.ts';
import { API_PREFIX, processRequest, targetOf } from './process-request.ts';
import { Refusal } from './refusal.ts';
import { scanSnapshots } from './scan-snapshots.ts';
import { openStore } from './store/store.ts';

export type FakeScanService = Awaited<ReturnType<typeof startFakeScanService>>;

/**
 * Starts the fake service on the loopback interface. Throws if it has no token, or cannot listen. Throws
 * `DataFolderError` if the data folder cannot be used.
 */
export async function startFakeScanService(options: ScanServiceOptions) {
  const state = createState(options);
  const { project, repositories, presets, tokens, settings } = state;
  if (tokens.length === 0) throw new Error('the fake service needs at least one token');
  const store = options.dataFolder === undefined ? undefined : await openStore(options.dataFolder, state);
  const server = await startServer({
    ...options,
    clock: state,
    dispatch({ method, path, headers, body }, _, origin) {
      // For an address that is not valid, the answer is that of the root.
      const url = URL.parse(`${origin}${path}`) ?? new URL(origin);
      const request = { method, url, headers, text: body?.toString('utf8') };
      return {
        point: targetOf(request).point,
        async answer() {
          const answer = await processRequest(state, request);
          // Everything that an answer reports survives the end of the process.
          store?.save(state, method === 'GET');
          return answer;
        },
        skip: () => publishExchange({ settings, request, answer: undefined }),
      };
    },
    onError(error) {
      console.error('the fake scanning service failed:', error);
      return new Refusal(500, 'internal', 'The service failed.').answer;
    },
  }).catch((error: unknown) => {
    store?.close();
    throw error;
  });
  return {
    ...server,
    /** The origin with `/api/v1`. */
    baseUrl: `${server.origin}${API_PREFIX}`,
    /** The first token, as clients send it. */
    token: tokens[0]?.token ?? '',
    tokens,
    project,
    repositories,
    presets,
    /** True if the data folder had data when the service started. */
    isRestored: store?.isRestored ?? false,
    ledger: () => state.ledger.state(),
    /** Returns all scans as they are now, the newest first. */
    scans: () => scanSnapshots(state),
    control: savingAfter(createControl(state), () => store?.save(state)),
    /** Closes all connections, and waits for analyses that are reading a repository. */
    async close(): Promise<void> {
      await server.close();
      await Promise.all(state.scans.flatMap((scan) => [scan.analysis, scan.survey]));
      store?.close();
    },
  };
}
