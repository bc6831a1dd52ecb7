// The stand-in of the scanning service on its own, for whoever builds a client of it.

import { fromHere } from '../from-here.ts';
import { DataFolderFault } from '../scan-service/store/database.ts';
import { Misuse, readChoices, USAGE } from './choices.ts';
import { listen } from './listen.ts';
import { givenRepository, sampleRepository } from './served-repository.ts';
import { welcome } from './welcome.ts';

async function serve(args: readonly string[]): Promise<void> {
  const choices = readChoices(args);
  if (choices === 'help') {
    console.log(USAGE);
    return;
  }
  const { repository: path, ownerName, port, dataFolder, credits, phasesPerPoll } = choices;
  const { remove, ...repository } =
    path === undefined ? await sampleRepository(ownerName) : await givenRepository(path, ownerName);
  try {
    const { service, moved } = await listen({
      repositories: [repository],
      // Only tests look at them.
      keptRequests: 0,
      ...(port === undefined ? {} : { port }),
      ...(dataFolder === undefined ? {} : { dataFolder: fromHere(dataFolder) }),
      ...(credits === undefined ? {} : { credits }),
      ...(phasesPerPoll === undefined ? {} : { pace: { phasesPerPoll } }),
    });
    const end = toldToEnd();
    console.log(welcome(service, moved));
    await end;
    await service.close();
  } catch (error) {
    if (error instanceof DataFolderFault) throw new Misuse(`--data: ${error.message}`);
    throw error;
  } finally {
    await remove();
  }
}

/** A second signal ends the process at once. */
function toldToEnd(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
}

try {
  await serve(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Misuse)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
