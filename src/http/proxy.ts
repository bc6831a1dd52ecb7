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

/** Without TLS, a proxy would read the token. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Lets every request honour the proxy variables; Node's `fetch` ignores them by itself. Loopback hosts are never asked
 * for through a proxy.
 * Undefined when all is well; a stop where they are set but cannot be honoured, since going around a proxy in
 * silence would only fail later, or leak.
 * @param baseUrl of the service; over http its host is a loopback host
 */
export function useProxy(
  env: NodeJS.ProcessEnv,
  baseUrl: string,
  node?: Pick<typeof http, 'setGlobalProxyFromEnv'>,
): NotScanned | undefined {
  const named = proxyVariable(env);
  if (named === undefined) return undefined;
  // Node has it since 24.14; the types know only the newest.
  const honour: unknown = Reflect.get(node ?? http, 'setGlobalProxyFromEnv');
  if (typeof honour !== 'function') {
    return {
      reason: 'configuration',
      cause: `${named} is set, but Node ${process.versions.node} on this runner does not support it.`,
      nextStep:
        'Update the runner to a version with Node 24.14 or later, or unset the variable for this step.',
    };
  }
  try {
    honour(withDirectHosts(env, baseUrl));
    subscribe('undici:request:error', nameLostTunnel);
    return undefined;
  } catch {
    return {
      reason: 'configuration',
      cause: `${named} or another proxy variable is not a valid URL.`,
      nextStep: 'Fix the proxy variables of the runner, for example `http://proxy.example:3128`.',
    };
  }
}

/** The variable that names a proxy. */
export function proxyVariable(env: NodeJS.ProcessEnv): string | undefined {
  return VARIABLES.find((name) => env[name]);
}

function withDirectHosts(env: NodeJS.ProcessEnv, baseUrl: string): NodeJS.ProcessEnv {
  const service = URL.parse(baseUrl);
  const ofService = service?.protocol === 'http:' ? [service.hostname] : [];
  const named = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  if (named.trim() === '*') return env;
  const direct = [...new Set([...named.split(/[\s,]+/).filter(Boolean), ...LOOPBACK, ...ofService])].join(
    ',',
  );
  return { ...env, NO_PROXY: direct, no_proxy: direct };
}

/**
 * Gives the error of a request for a tunnel the code that undici has for it since June 2026. Before that, a proxy
 * that closes the connection looks to undici like a server between two requests: it connects again at once, thousands
 * of times in a second, until the process ends. The code also shows that nothing reached the service.
 */
export function nameLostTunnel(message: unknown): void {
  const error = member(message, 'error');
  if (member(member(message, 'request'), 'method') !== 'CONNECT' || !(error instanceof Error)) return;
  if (NO_TUNNEL.has(member(error, 'code'))) Reflect.set(error, 'code', PROXY_CONNECTION);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
