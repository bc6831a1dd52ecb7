import { spawn } from 'node:child_process';
import { createLineReader } from './line-reader.ts';

/**
 * GitHub's runner cancels with SIGINT, then SIGTERM, then SIGKILL. It waits `sigintMs` after SIGINT, and `sigtermMs`
 * after SIGTERM.
 */
export const CANCEL_WAITS: CancelWaits = { sigintMs: 7_500, sigtermMs: 2_500 };
/**
 * After the process has ended, GitHub's runner reads the pipes for this time. A child process may still hold them open.
 */
const PIPES_OPEN_MS = 5_000;

export interface CancelWaits {
  readonly sigintMs: number;
  readonly sigtermMs: number;
}

export interface StepControls {
  /** Sends SIGINT, then SIGTERM, then SIGKILL, like GitHub's runner for a cancelled workflow. */
  cancel(): void;
  /** Sends one signal. `SIGKILL` simulates a machine that was lost. */
  kill(signal: NodeJS.Signals): void;
  /** Closes the step's stdout, so that the next write to it fails. */
  closeOutput(): void;
}

export interface StepProcess {
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly cancelled: boolean;
  readonly durationMs: number;
}

export interface StepCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly waits: CancelWaits;
  readonly onLine: (line: string, controls: StepControls) => void;
  /** Called once, when the process has started. */
  readonly onStart: (controls: StepControls) => void;
}

/** Runs a process to its end. The lines of stdout and stderr keep the order in which they arrive. */
export function runStepProcess(command: StepCommand): Promise<StepProcess> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: { ...command.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timers: NodeJS.Timeout[] = [];
    let cancelled = false;
    const controls: StepControls = {
      kill: (signal) => void child.kill(signal),
      closeOutput: () => void child.stdout.destroy(),
      cancel: () => {
        if (cancelled || child.exitCode !== null || child.signalCode !== null) return;
        cancelled = true;
        child.kill('SIGINT');
        const { sigintMs, sigtermMs } = command.waits;
        timers.push(setTimeout(() => child.kill('SIGTERM'), sigintMs));
        timers.push(setTimeout(() => child.kill('SIGKILL'), sigintMs + sigtermMs));
      },
    };
    const out = collect((line) => command.onLine(line, controls));
    const err = collect((line) => command.onLine(line, controls));
    child.stdout.on('data', out.push);
    child.stderr.on('data', err.push);
    child.on('error', reject);
    child.on('exit', () => {
      for (const timer of timers) clearTimeout(timer);
      timers.push(
        setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
        }, PIPES_OPEN_MS),
      );
    });
    child.on('close', (exitCode, signal) => {
      for (const timer of timers) clearTimeout(timer);
      const durationMs = performance.now() - began;
      resolve({ exitCode, signal, stdout: out.end(), stderr: err.end(), cancelled, durationMs });
    });
    child.on('spawn', () => command.onStart(controls));
  });
}

function collect(onLine: (line: string) => void) {
  const chunks: Buffer[] = [];
  const reader = createLineReader(onLine);
  return {
    push: (chunk: Buffer) => {
      chunks.push(chunk);
      reader.push(chunk);
    },
    end: () => {
      reader.end();
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
