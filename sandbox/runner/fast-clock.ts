/**
 * Speeds up the clock of a process while the process only waits. Node.js loads this file before the program, with
 * `--import file:///…/fast-clock.ts?scale=60`. A minute of timers then passes in a second. The program needs no change.
 *
 * The clock runs at its real speed while the process awaits or decompresses an answer, writes a file or runs a child
 * process. Otherwise a deadline could pass only because the machine is slow.
 *
 * The clock is also sped up while the process awaits an answer on a connection that hangs. The parameter `hung` names a
 * file that lists the client's port of each such connection, one per line.
 *
 * The global `setTimeout`, `setInterval`, `performance.now` and `process.uptime` are replaced. `Date` and Node's
 * internal timers (`node:timers`, `AbortSignal.timeout`, socket timeouts) stay real.
 */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { Gunzip } from 'node:zlib';

const query = new URL(import.meta.url).searchParams;
const scale = Number(query.get('scale'));
if (!(scale > 0)) throw new Error('fast-clock wants a scale over 0 in its query');
const hungFile = query.get('hung');

/** The time between two advances of the clock, in real milliseconds. */
const TICK_MS = 2;
// As in Node, a delay above this limit counts as 1 ms. So does a delay below 1 ms.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const delayOf = (ms: unknown) => {
  const delay = Number(ms);
  return delay >= 1 && delay <= LONGEST_TIMER_MS ? delay : 1;
};

/** The resources that a process can have while it only waits: timers and outputs. */
const WAITING = new Set(['Timeout', 'PipeWrap', 'TTYWrap', 'FileHandle', 'MessagePort']);

const real = {
  setInterval,
  clearInterval,
  clearTimeout,
  now: performance.now.bind(performance),
};
const began = real.now();
const timers = new Set<FastTimer>();
let elapsed = 0;
let lastTick = began;
let wasWaiting = false;
let ticker: NodeJS.Timeout | undefined;

class FastTimer {
  due = 0;
  readonly #delay: number;
  readonly #repeats: boolean;
  readonly #call: () => void;
  #isRef = true;

  constructor(call: () => void, delay: number, repeats: boolean) {
    this.#call = call;
    this.#delay = delay;
    this.#repeats = repeats;
    this.refresh();
  }

  fire(): void {
    if (this.#repeats) this.due += this.#delay;
    else this.close();
    this.#call();
  }

  refresh(): this {
    tick();
    this.due = elapsed + this.#delay;
    timers.add(this);
    keepTicking();
    return this;
  }

  close(): this {
    timers.delete(this);
    keepTicking();
    return this;
  }

  hasRef(): boolean {
    return this.#isRef;
  }

  ref(): this {
    this.#isRef = true;
    keepTicking();
    return this;
  }

  unref(): this {
    this.#isRef = false;
    keepTicking();
    return this;
  }
}

/**
 * Runs the ticker while there are timers. As in Node, a timer keeps the process alive unless `unref` was called on it.
 */
function keepTicking(): void {
  if (timers.size === 0) {
    real.clearInterval(ticker);
    ticker = undefined;
    return;
  }
  ticker ??= real.setInterval(fireDue, TICK_MS);
  if ([...timers].some((timer) => timer.hasRef())) ticker.ref();
  else ticker.unref();
}

function tick(): void {
  const now = real.now();
  elapsed += now - lastTick;
  lastTick = now;
}

function fireDue(): void {
  const now = real.now();
  const passed = now - lastTick;
  lastTick = now;
  const isWaiting = onlyWaits();
  elapsed += passed * (isWaiting && wasWaiting ? scale : 1);
  wasWaiting = isWaiting;
  const due = [...timers].filter((timer) => timer.due <= elapsed).sort((a, b) => a.due - b.due);
  for (const timer of due) {
    if (timers.has(timer)) timer.fire();
    // The timer may have started work. Until the next tick, the clock runs at its real speed.
    wasWaiting = false;
  }
}

/** The number of chunks that are being decompressed. Node shows no active handle for them, so they are counted here. */
let decompressing = 0;

/** Finds the prototype that all zlib streams share. */
function zlibStream(): object {
  let prototype: object = Gunzip.prototype;
  while (!Object.hasOwn(prototype, '_transform')) prototype = Object.getPrototypeOf(prototype);
  return prototype;
}

function watchDecompression(): void {
  const stream = zlibStream();
  const transform: unknown = Reflect.get(stream, '_transform');
  if (typeof transform !== 'function') throw new Error('the streams of zlib have no _transform');
  Reflect.set(
    stream,
    '_transform',
    function (this: Gunzip, chunk: unknown, encoding: unknown, done: () => void) {
      let isDone = false;
      const end = () => {
        if (!isDone) decompressing -= 1;
        isDone = true;
      };
      decompressing += 1;
      // A stream that is destroyed never reports that its work has ended.
      this.once('close', end);
      Reflect.apply(transform, this, [
        chunk,
        encoding,
        (...result: unknown[]) => {
          end();
          this.off('close', end);
          Reflect.apply(done, undefined, result);
        },
      ]);
    },
  );
}

watchDecompression();

function onlyWaits(): boolean {
  if (decompressing > 0) return false;
  const busy = process.getActiveResourcesInfo().filter((name) => !WAITING.has(name));
  if (busy.length === 0) return true;
  if (hungFile === null || busy.some((name) => name !== 'TCPSocketWrap')) return false;
  const hung = new Set(readFileSync(hungFile, 'utf8').split('\n'));
  const hanging = activeSockets().filter(({ localPort }) => hung.has(String(localPort)));
  return hanging.length === busy.length;
}

function activeSockets(): Socket[] {
  const list: unknown = Reflect.get(process, '_getActiveHandles');
  const handles: unknown = typeof list === 'function' ? Reflect.apply(list, process, []) : [];
  return (Array.isArray(handles) ? handles : []).filter((handle) => handle instanceof Socket);
}

function start(repeats: boolean) {
  return (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    new FastTimer(() => callback(...args), delayOf(ms), repeats);
}

function stop(timer: unknown): void {
  if (timer instanceof FastTimer) timer.close();
  else Reflect.apply(real.clearTimeout, globalThis, [timer]);
}

Object.assign(globalThis, {
  setTimeout: Object.assign(start(false), {
    [promisify.custom]: (ms?: number, value?: unknown) =>
      new Promise((resolve) => start(false)(() => resolve(value), ms)),
  }),
  setInterval: start(true),
  clearTimeout: stop,
  clearInterval: stop,
});
performance.now = () => {
  tick();
  return began + elapsed;
};
const beganUptime = process.uptime();
process.uptime = () => {
  tick();
  return beganUptime + elapsed / 1000;
};
