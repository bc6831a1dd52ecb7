import { UsageError } from '../command-line.ts';
import type { ScanServiceOptions } from '../scan-service/options.ts';
import { startFakeScanService } from '../scan-service/server.ts';
import { keepPort, keptPort } from './kept-port.ts';

/**
 * Starts the fake service. Uses the given port, otherwise the port of its data folder, otherwise any free port. Saves
 * the port in the data folder. `moved` is its previous port, if that port can no longer be used. Throws `UsageError` if the given port cannot be used.
 */
export async function listen(options: ScanServiceOptions) {
  const { port: wanted, dataFolder } = options;
  const kept = wanted === undefined && dataFolder !== undefined ? keptPort(dataFolder) : undefined;
  const { service, moved } = kept === undefined ? await started(options) : await startedAgain(options, kept);
  if (dataFolder !== undefined) keepPort(dataFolder, Number(new URL(service.origin).port));
  return { service, moved };
}

async function started(options: ScanServiceOptions) {
  try {
    return { service: await startFakeScanService(options), moved: undefined };
  } catch (error) {
    const fault = portFault(error, options.port);
    throw fault === undefined ? error : new UsageError(fault);
  }
}

async function startedAgain(options: ScanServiceOptions, kept: number) {
  try {
    return { service: await startFakeScanService({ ...options, port: kept }), moved: undefined };
  } catch (error) {
    if (portFault(error, kept) === undefined) throw error;
    return { service: await startFakeScanService(options), moved: kept };
  }
}

function portFault(error: unknown, port: number | undefined): string | undefined {
  switch (Reflect.get(Object(error), 'code')) {
    case 'EADDRINUSE':
      return `--port: another program is listening on ${port}. Use another port.`;
    case 'EACCES':
      return `--port: only an administrator may listen on ${port}. Use a port of 1024 or above.`;
    default:
      return undefined;
  }
}
