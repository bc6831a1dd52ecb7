import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A process of Node.js that ends soon after its start. */
export interface NodeCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a process to its end, with the Node.js version that runs this code. Ignores its output. */
export function runNode({ args, env }: NodeCommand): {
  readonly exitCode: number | null;
  readonly ms: number;
} {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [...args], { env, stdio: 'ignore' });
  return { exitCode: status, ms: performance.now() - began };
}

/** Runs a process. @returns the processor time of the whole process in milliseconds; works only on Linux and macOS */
export function cpuOfNode({ args, env }: NodeCommand): number {
  const script = `TIMEFORMAT='%3U %3S'; time "$0" "$@" > /dev/null 2>&1`;
  const { stderr } = spawnSync('/bin/bash', ['--norc', '-c', script, process.execPath, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  if (!(user + system > 0)) throw new Error(`bash did not say what the process cost: ${stderr}`);
  return (user + system) * 1000;
}

const PRELOAD = path.join(import.meta.dirname, 'own-cost.cjs');

/**
 * Returns options for Node.js. A process with these options writes its memory and processor time into `file` when it
 * ends.
 */
export function ownCostOptions(file: string): {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  return { execArgv: ['--require', PRELOAD], env: { OWN_COST_FILE: file } };
}

export interface OwnCost {
  /** The largest memory of the process, in mebibytes. */
  readonly peakMemory: number;
  /** The processor time of all threads, in milliseconds. Waiting does not count. */
  readonly cpuMs: number;
}

/** Reads the cost from the file. Throws if the process wrote none. */
export function readOwnCost(file: string): OwnCost {
  const { peakKibibytes, cpuMicroseconds }: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'));
  if (!(Number(peakKibibytes) > 0 && Number(cpuMicroseconds) > 0)) {
    throw new Error('the process did not report its cost');
  }
  return { peakMemory: Number(peakKibibytes) / 1024, cpuMs: Number(cpuMicroseconds) / 1000 };
}
