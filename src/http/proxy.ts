import { subscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import type { NotScanned } from '../domain/not-scanned.ts';
import { PROXY_CONNECTION } from './proxy-fault.ts';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Codes of a connection that did not come about, or broke, before there was a tunnel. */
const NO_TUNNEL: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

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
    subscribe('undici:request:error', nameLostTunnel);
    return undefined;
  } catch {
    return {
      reason: 'configuration',
      cause: `${named} or another proxy variable is not an address that Node understands.`,
      nextStep: 'Correct the proxy variables of the runner, for example `http://proxy.example:3128`.',
    };
  }
}

/**
 * Gives the error of a request for a tunnel the code that undici has for it since June 2026. Before that, a proxy
 * that closes the connection looks to undici like a server between two requests: it connects again at once, thousands
 * of times in a second, until the process ends. The code also tells that nothing reached the service.
 */
export function nameLostTunnel(message: unknown): void {
  const error = member(message, 'error');
  if (member(member(message, 'request'), 'method') !== 'CONNECT' || !(error instanceof Error)) return;
  if (NO_TUNNEL.has(member(error, 'code'))) Reflect.set(error, 'code', PROXY_CONNECTION);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
