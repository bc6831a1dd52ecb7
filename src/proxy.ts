import http from 'node:http';
import type { NotScanned } from './domain/not-scanned.ts';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/**
 * Lets every request honour the proxy variables; Node's `fetch` ignores them by itself.
 * Undefined when all is well; a stop where they are set but cannot be honoured, since going around a proxy in
 * silence would only fail later, or leak.
 */
export function useProxy(
  env: NodeJS.ProcessEnv,
  node: Pick<typeof http, 'setGlobalProxyFromEnv'> = http,
): NotScanned | undefined {
  const named = VARIABLES.find((name) => env[name]);
  if (named === undefined) return undefined;
  // Node has it since 24.14; the types know only the newest.
  const honour: unknown = Reflect.get(node, 'setGlobalProxyFromEnv');
  if (typeof honour !== 'function') {
    return {
      reason: 'configuration',
      cause: `${named} is set, but this runner's Node ${process.versions.node} cannot honour it.`,
      nextStep: 'Update the runner to one with Node 24.14 or later, or unset the variable for this step.',
    };
  }
  try {
    honour(env);
    return undefined;
  } catch {
    return {
      reason: 'configuration',
      cause: `${named} or another proxy variable is not an address that Node understands.`,
      nextStep: 'Correct the proxy variables of the runner, for example `http://proxy.example:3128`.',
    };
  }
}
