import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A Node process that ends soon after its start. */
export interface NodeCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs it to its end, on the Node that runs this; its output is dropped. */
export function runNode({ args, env }: NodeCommand): {
  readonly exitCode: number | null;
  readonly ms: number;
} {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [...args], { env, stdio: 'ignore' });
  return { exitCode: status, ms: performance.now() - began };
}

const PRELOAD = path.join(import.meta.dirname, 'peak-memory.cjs');

/** What makes a Node process write its peak memory into `file` when it ends. */
export function peakMemoryOptions(file: string): {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  return { execArgv: ['--require', PRELOAD], env: { PEAK_MEMORY_FILE: file } };
}

/** Mebibytes. Throws where the process left none. */
export function readPeakMemory(file: string): number {
  const kibibytes = Number(readFileSync(file, 'utf8'));
  if (!(kibibytes > 0)) throw new Error('the process did not tell its peak memory');
  return kibibytes / 1024;
}
