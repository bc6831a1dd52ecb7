import { type Clock, systemClock } from '../clock.ts';
import { createDeadlines, type Deadlines } from '../runner/deadlines.ts';
import { createRunnerLog, type Log } from '../runner/log.ts';

/** What the process of a step passes to its code. */
export interface StepProcess {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** 0 up to, but not including, 1. */
  readonly random: () => number;
  /** SIGINT, SIGTERM and a closed stdout end them. */
  readonly deadlines: Deadlines;
  readonly log: Log;
}

/**
 * Runs an action's step as a process, and ends it with the exit code. This is the only catch: expected failures are
 * values, so only a bug or a fault of the machine arrives here. The exit code is 1 until a verdict allows 0.
 * @param main the work of the step; resolves to the exit code
 * @param failUnexpectedly reports an unexpected error in one line
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
  // stdout is closed, so the job is ending. Before the verdict, that ends the work; later, it changes nothing.
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
  // Exits explicitly after the log is written, because an open socket or timer must not delay the job.
  process.stdout.write('', () => process.exit(exitCode));
}

async function attemptMain(main: () => Promise<0 | 1>, fail: (error: unknown) => 1): Promise<0 | 1> {
  try {
    return await main();
  } catch (error) {
    return fail(error);
  }
}
