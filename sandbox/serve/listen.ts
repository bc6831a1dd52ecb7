import type { ScanServiceOptions } from '../scan-service/options.ts';
import type { ScanService } from '../scan-service/scan-service.ts';
import { startScanService } from '../scan-service/server.ts';
import { Misuse } from './choices.ts';
import { keepPort, keptPort } from './kept-port.ts';

/** A stand-in that listens; `moved`: where its data folder was served last, if that port could not be had again. */
export interface Listening {
  readonly service: ScanService;
  readonly moved: number | undefined;
}

/**
 * Starts the stand-in on the port that was asked for, else on the one of its data folder, else on one that is free, and
 * keeps the port in the data folder. Throws `Misuse` where the port that was asked for cannot be had.
 */
export async function listen(options: ScanServiceOptions): Promise<Listening> {
  const { port: wanted, dataFolder } = options;
  const kept = wanted === undefined && dataFolder !== undefined ? keptPort(dataFolder) : undefined;
  const { service, moved } = kept === undefined ? await started(options) : await startedAgain(options, kept);
  if (dataFolder !== undefined) keepPort(dataFolder, Number(new URL(service.origin).port));
  return { service, moved };
}

async function started(options: ScanServiceOptions): Promise<Listening> {
  try {
    return { service: await startScanService(options), moved: undefined };
  } catch (error) {
    const fault = portFault(error, options.port);
    throw fault === undefined ? error : new Misuse(fault);
  }
}

async function startedAgain(options: ScanServiceOptions, kept: number): Promise<Listening> {
  try {
    return { service: await startScanService({ ...options, port: kept }), moved: undefined };
  } catch (error) {
    if (portFault(error, kept) === undefined) throw error;
    return { service: await startScanService(options), moved: kept };
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
