import { type Clock, systemClock } from '../clock.ts';
import { createDeadlines, type Deadlines } from '../runner/deadlines.ts';
import { createRunnerLog, type Log } from '../runner/log.ts';

/** What the process of a step gives to the code in it. */
export interface StepProcess {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Ended by SIGINT, SIGTERM and a closed stdout. */
  readonly deadlines: Deadlines;
  readonly log: Log;
}

/**
 * Runs an action's step as a process of its own, and ends it with the exit code. The one catch: every expected failure
 * is a value, so what arrives here is a fault of ours or of the machine. The step stays red until it is proven otherwise.
 * @param main the step's work, which ends with the exit code
 * @param failUnexpectedly reports an unexpected fault, in one line
 */
export async function runStepProcess(
  main: (process: StepProcess) => Promise<0 | 1>,
  failUnexpectedly: (what: string, log: Log) => void,
): Promise<void> {
  process.exitCode = 1;
  const log = createRunnerLog();
  const deadlines = createDeadlines(systemClock);
  const fail = (error: unknown): 1 => {
    failUnexpectedly(error instanceof Error ? error.message : 'no error object', log);
    return 1;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => deadlines.stop('signal'));
  // stdout is closed: the job is ending. Before the verdict that ends the work; afterwards it changes nothing.
  process.stdout.on('error', () => {
    process.stderr.write('stdout was closed. Stopping.\n');
    deadlines.stop('signal');
  });
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => process.exit(fail(error)));

  const exitCode = await attemptMain(
    () => main({ clock: systemClock, fetch, random: Math.random, deadlines, log }),
    fail,
  );
  // Explicit, because a socket or a timer that is still open must not keep the job waiting; after the log is out.
  process.stdout.write('', () => process.exit(exitCode));
}

async function attemptMain(main: () => Promise<0 | 1>, fail: (error: unknown) => 1): Promise<0 | 1> {
  try {
    return await main();
  } catch (error) {
    return fail(error);
  }
}
