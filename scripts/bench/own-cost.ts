import { readFileSync } from 'node:fs';
import path from 'node:path';

const PRELOAD = path.join(import.meta.dirname, 'own-cost.cjs');

/**
 * Returns options for Node.js. A process with these options writes its memory and processor time into `file` when it
 * ends.
 */
export function ownCostOptions(file: string) {
  return { execArgv: ['--require', PRELOAD], env: { OWN_COST_FILE: file } };
}

/**
 * Reads the cost from the file: the largest memory in mebibytes, and the processor time of all threads in milliseconds.
 * Waiting does not count. Throws if the process wrote none.
 */
export function readOwnCost(file: string) {
  const { peakKibibytes, cpuMicroseconds }: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'));
  if (!(Number(peakKibibytes) > 0 && Number(cpuMicroseconds) > 0)) {
    throw new Error('the process did not report its cost');
  }
  return { peakMemory: Number(peakKibibytes) / 1024, cpuMs: Number(cpuMicroseconds) / 1000 };
}
