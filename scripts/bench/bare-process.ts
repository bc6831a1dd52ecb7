import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A Node process that ends soon after its start. */
export interface NodeCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a process to its end, on the Node version that runs this code. Its output is dropped. */
export function runNode({ args, env }: NodeCommand): {
  readonly exitCode: number | null;
  readonly ms: number;
} {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [...args], { env, stdio: 'ignore' });
  return { exitCode: status, ms: performance.now() - began };
}

/** @returns the processor time of the whole process, until it has ended, in milliseconds. Linux and macOS only. */
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

/** Options that make a Node process write its cost into `file` when it ends. */
export function ownCostOptions(file: string): {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  return { execArgv: ['--require', PRELOAD], env: { OWN_COST_FILE: file } };
}

export interface OwnCost {
  /** In mebibytes. */
  readonly peakMemory: number;
  /** The processor time of all its threads, in milliseconds. Time spent waiting does not count. */
  readonly cpuMs: number;
}

/** Reads the cost. Throws if the process wrote none. */
export function readOwnCost(file: string): OwnCost {
  const { peakKibibytes, cpuMicroseconds }: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'));
  if (!(Number(peakKibibytes) > 0 && Number(cpuMicroseconds) > 0)) {
    throw new Error('the process did not report its cost');
  }
  return { peakMemory: Number(peakKibibytes) / 1024, cpuMs: Number(cpuMicroseconds) / 1000 };
}
