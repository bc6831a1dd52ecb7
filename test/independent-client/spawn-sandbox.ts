import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

export type Sandbox = {
  readonly baseUrl: string;
  readonly token: string;
  /** The tokens that the options added, in their order. */
  readonly moreTokens: readonly string[];
  readonly projectId: string;
  stop(): Promise<void>;
};

function printed(output: string, pattern: RegExp): string {
  const [, value] = pattern.exec(output) ?? [];
  if (value === undefined) throw new Error(`The sandbox printed nothing like ${pattern}:\n${output}`);
  return value;
}

/**
 * Starts `npm run sandbox` as a user would, and reads what it prints. Throws if the sandbox ends before it has printed
 * everything.
 */
export async function spawnSandbox(
  options: Readonly<Record<string, string | readonly string[]>>,
): Promise<Sandbox> {
  const given = Object.entries(options).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [`--${name}`, value]),
  );
  const child = spawn('npm', ['run', 'sandbox', '--', ...given], {
    cwd: ROOT,
    // The process has its own group, so that a signal also reaches the processes that npm starts.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    const running = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && running) process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  let output = '';
  const announced = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Ctrl-C')) resolve();
    });
  });
  await Promise.race([announced, ended]);
  try {
    return {
      baseUrl: printed(output, /^base-url:\s+(\S+)$/m),
      token: printed(output, /^api-token:\s+(\S+)$/m),
      moreTokens: [...output.matchAll(/^token \d+:\s+(\S+)$/gm)].map(([, token = '']) => token),
      projectId: printed(output, /^project-id:\s+(\S+)$/m),
      stop,
    };
  } catch (error) {
    await stop();
    throw new Error(complaints, { cause: error });
  }
}
