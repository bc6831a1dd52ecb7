import { systemClock } from '../clock.ts';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import { type GitHubEnvironment, readEnvironment } from '../github/environment.ts';
import { readPayload } from '../github/event.ts';
import { isStrayFetchError } from '../http/attempt.ts';
import { useProxy, verifyCertificates } from '../http/proxy.ts';
import { createDeadlines, type Deadlines } from '../runner/deadlines.ts';
import { createRunnerLog, type Log } from '../runner/log.ts';
import type { Resources } from './step.ts';

/** What a step gets from its process if it can be stopped. */
export interface StepProcess extends Resources {
  /** SIGINT, SIGTERM and a closed stdout stop the work. */
  readonly deadlines: Deadlines;
}

/**
 * Runs the step of an action as a process, and ends the process with the exit code. The exit code is 1 until `main`
 * resolves to 0. Every request of the step verifies the certificate of its server, whatever the environment says.
 *
 * Expected failures are values, so an exception means a bug or a fault of the machine. Only this function catches
 * unexpected exceptions.
 * @param main does the work of the step; resolves to the exit code
 * @param failUnexpectedly reports an unexpected error in one line
 */
export async function runStepProcess(
  main: (process: StepProcess) => Promise<0 | 1>,
  failUnexpectedly: (what: string, log: Log) => void,
): Promise<void> {
  process.exitCode = 1;
  const log = createRunnerLog();
  const ignored = verifyCertificates(process.env);
  const deadlines = createDeadlines(systemClock);
  const fail = (error: unknown): 1 => {
    failUnexpectedly(error instanceof Error ? error.message : 'no error object', log);
    return 1;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => deadlines.stop('signal'));
  // A closed stdout means that the job is ending, so the work stops. After the verdict, there is no work to stop.
  process.stdout.on('error', () => {
    process.stderr.write('stdout was closed. Stopping.\n');
    deadlines.stop('signal');
  });
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => {
    if (!isStrayFetchError(error)) process.exit(fail(error));
  });

  const work = attemptMain(
    () => main({ clock: systemClock, fetch, random: Math.random, deadlines, log }),
    fail,
  );
  // By now, `main` has masked the tokens. Nothing is printed before that.
  if (ignored !== undefined) log.warning(ignored);
  const exitCode = await work;
  // Waits for the last write to the log. Then exits, because an open socket or timer could delay the end of the job.
  process.stdout.write('', () => process.exit(exitCode));
}

async function attemptMain(main: () => Promise<0 | 1>, fail: (error: unknown) => 1): Promise<0 | 1> {
  try {
    return await main();
  } catch (error) {
    return fail(error);
  }
}

/** What the runner provides about the job and its event. */
export interface Surroundings {
  readonly environment: GitHubEnvironment;
  /** The payload of the event, not validated yet. */
  readonly payload: unknown;
}

/**
 * Reads the runner's environment and the event's payload. Makes all requests use the proxy that the environment
 * names.
 * @param baseUrl the address of the service
 * @returns an error if the step cannot begin
 */
export async function readSurroundings(baseUrl: string): Promise<Result<Surroundings, NotScanned>> {
  const proxyFault = useProxy(process.env, baseUrl);
  if (proxyFault !== undefined) return err(proxyFault);
  const environment = readEnvironment(process.env);
  if (!environment.ok) return environment;
  const payload = readPayload(environment.value.eventPath);
  if (!payload.ok) return payload;
  return ok({ environment: environment.value, payload: payload.value });
}
