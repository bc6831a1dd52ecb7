import { UsageError } from '../command-line.ts';
import { resolveFromCwd } from '../cwd.ts';
import type { TokenOptions } from '../scan-service/options.ts';
import { DataFolderError } from '../scan-service/store/database.ts';
import { banner } from './banner.ts';
import type { CliOptions } from './cli-options.ts';
import { listen } from './listen.ts';
import { givenRepository, sampleRepository } from './served-repository.ts';

const WINDOW_SECONDS = 60;

/** Runs the fake service until a signal stops the process. Throws `UsageError` if the options cannot be used. */
export async function serve(choices: CliOptions): Promise<void> {
  const { repository: path, ownerName, port, dataFolder, credits, phasesPerPoll, analyzing } = choices;
  const { remove, ...repository } =
    path === undefined ? await sampleRepository(ownerName) : await givenRepository(path, ownerName);
  try {
    const { service, moved } = await listen({
      repositories: [{ ...repository, ...(analyzing ? analyzed(analyzing) : {}) }],
      onScanFailure: (scanId, reason) => console.error(`The scan ${scanId} failed. ${reason}`),
      // Only tests read the requests.
      keptRequests: 0,
      ...(port === undefined ? {} : { port }),
      ...(dataFolder === undefined ? {} : { dataFolder: resolveFromCwd(dataFolder) }),
      ...(credits === undefined ? {} : { credits }),
      tokens: tokensOf(choices),
      ...(phasesPerPoll === undefined ? {} : { pace: { phasesPerPoll } }),
    });
    const end = untilStopped();
    console.log(banner(service, moved));
    await end;
    await service.close();
  } catch (error) {
    if (error instanceof DataFolderError) throw new UsageError(`--data: ${error.message}`);
    throw error;
  } finally {
    await remove();
  }
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
