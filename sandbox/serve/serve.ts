import { UsageError } from '../command-line.ts';
import { resolveFromCwd } from '../cwd.ts';
import type { ScanServiceOptions, TokenOptions } from '../scan-service/options.ts';
import type { FakeScanService } from '../scan-service/server.ts';
import { DataFolderError } from '../scan-service/store/database.ts';
import { banner } from './banner.ts';
import type { CliOptions } from './cli-options.ts';
import { listen } from './listen.ts';
import { givenRepository, type ServedRepository, sampleRepository } from './served-repository.ts';

const WINDOW_SECONDS = 60;

/** Runs the fake service until a signal stops the process. Throws `UsageError` if the options cannot be used. */
export async function serve(choices: CliOptions): Promise<void> {
  const { repository: path, ownerName } = choices;
  const { remove, ...repository } =
    path === undefined ? await sampleRepository(ownerName) : await givenRepository(path, ownerName);
  try {
    const { service, moved } = await listen(serviceOptions(choices, repository));
    const end = untilStopped();
    console.log(banner(service, moved, optionsWithoutEffect(choices, service)));
    await end;
    await service.close();
  } catch (error) {
    if (error instanceof DataFolderError) throw new UsageError(`--data: ${error.message}`);
    throw error;
  } finally {
    await remove();
  }
}

/** Returns the options of the fake service for a command line. */
export function serviceOptions(
  choices: CliOptions,
  repository: Omit<ServedRepository, 'remove'>,
): ScanServiceOptions {
  const { port, dataFolder, credits, phasesPerPoll, analyzing } = choices;
  return {
    repositories: [{ ...repository, ...(analyzing ? analyzed(analyzing) : {}) }],
    onScanFailure: (scanId, reason) => console.error(`The scan ${scanId} failed. ${reason}`),
    // Only tests read the requests.
    keptRequests: 0,
    ...(port === undefined ? {} : { port }),
    ...(dataFolder === undefined ? {} : { dataFolder: resolveFromCwd(dataFolder) }),
    ...(credits === undefined ? {} : { credits }),
    tokens: tokensOf(choices),
    ...(phasesPerPoll === undefined ? {} : { pace: { phasesPerPoll } }),
  };
}

/** Returns the options of the command line that have no effect, because the data folder keeps their values. */
export function optionsWithoutEffect(
  { credits, requestCeiling, moreTokens, analyzing }: CliOptions,
  { isRestored, repositories }: FakeScanService,
): readonly string[] {
  if (!isRestored) return [];
  return [
    ...(credits === undefined ? [] : ['--credits']),
    ...(requestCeiling === undefined ? [] : ['--request-ceiling']),
    ...(moreTokens.length === 0 ? [] : ['--token']),
    // The data folder keeps the analysis of each repository. A repository that is new to the folder gets the option.
    ...(analyzing === undefined || analyzing === (repositories[0]?.listingsUntilReady ?? 0)
      ? []
      : ['--analyzing']),
  ];
}

/** Returns the options of all tokens. The first token may do everything. */
function tokensOf({ requestCeiling, moreTokens }: CliOptions): readonly TokenOptions[] {
  const ceiling =
    requestCeiling === undefined
      ? {}
      : { requestCeiling: { requests: requestCeiling, windowSeconds: WINDOW_SECONDS } };
  return [ceiling, ...moreTokens];
}

function analyzed(listings: number) {
  return { readiness: 'analyzing', readyAfterListings: listings } as const;
}

/**
 * Resolves after the first signal, or when the terminal is closed. A second signal of the same kind ends the process at
 * once.
 */
function untilStopped(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve).once('SIGHUP', resolve);
  });
}
