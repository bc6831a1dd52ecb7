import { subscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import type { NotScanned } from '../domain/result.ts';
import { isLostConnection, PROXY_CONNECTION } from './connection-error.ts';

const VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Requests to loopback addresses never use the proxy. They may have no TLS, so the proxy could read the token. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Makes every request use the proxy variables, which Node's `fetch` ignores by default. Requests to loopback hosts
 * never use the proxy.
 * @param baseUrl of the service; if it uses http, its host is a loopback host
 * @returns an error if the variables are set but unusable, because a connection without the proxy could fail later or
 * leak data; otherwise undefined
 */
export function useProxy(
  env: NodeJS.ProcessEnv,
  baseUrl: string,
  node?: Pick<typeof http, 'setGlobalProxyFromEnv'>,
): NotScanned | undefined {
  const named = proxyVariable(env);
  if (named === undefined) return undefined;
  // Node.js has this function since 24.14. The installed types may be those of an older version.
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

/** Returns the name of the variable that sets a proxy; undefined if there is none. */
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
 * If a request for a tunnel failed, gives its error the code that undici uses since June 2026. The code shows that
 * nothing reached the service.
 *
 * The code also ends a loop in older versions of undici. They reconnect thousands of times per second if a proxy closes
 * the connection.
 */
export function nameLostTunnel(message: unknown): void {
  const error = member(message, 'error');
  if (member(member(message, 'request'), 'method') !== 'CONNECT' || !(error instanceof Error)) return;
  if (isLostConnection(error)) Reflect.set(error, 'code', PROXY_CONNECTION);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

const VERIFICATION = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Makes Node verify the certificate of every server. Removes the variable that switches this off. Node reads it again
 * for each connection, so call this before the first request.
 * @returns a sentence for the log if the variable had switched the verification off; otherwise undefined
 */
export function verifyCertificates(env: NodeJS.ProcessEnv): string | undefined {
  const isOff = env[VERIFICATION] === '0';
  delete env[VERIFICATION];
  return isOff ? IGNORED : undefined;
}

const IGNORED = `\`${VERIFICATION}\` is ignored, because Scangate always verifies certificates. If a server has a certificate of your own authority, set \`NODE_EXTRA_CA_CERTS\` to the file of that authority.`;
