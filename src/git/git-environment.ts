import { devNull } from 'node:os';

/** The variables by which administrators configure git's network. All other `GIT_` variables are removed. */
const KEPT = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_EXEC_PATH',
  'GIT_HTTP_PROXY_AUTHMETHOD',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
]);

/** Git ends a transfer that makes no progress for this time. */
const STANDSTILL_SECONDS = 30;

/**
 * The environment of a git process that accesses one repository on one server. In this environment, git runs
 * no other program and never prompts. The token is in no argument and no file. Git sends it only to the
 * address of this repository.
 */
export function gitEnvironment(
  inherited: NodeJS.ProcessEnv,
  remote: { readonly url: string; readonly token: string },
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined) continue;
    // Drops variables such as `GIT_DIR`, which could point git to the user's checkout. Also drops the inputs and the
    // state of the job, because they contain secrets.
    const dropped = name.startsWith('GIT_') ? !KEPT.has(name) : /^(?:INPUT|STATE|ACTIONS)_/.test(name);
    if (!dropped) env[name] = value;
  }
  const credentials = Buffer.from(`x-access-token:${remote.token}`).toString('base64');
  const config: readonly (readonly [string, string])[] = [
    ['core.hooksPath', devNull],
    ['credential.helper', ''],
    ['fetch.recurseSubmodules', 'false'],
    ['fetch.writeCommitGraph', 'false'],
    ['gc.auto', '0'],
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(STANDSTILL_SECONDS)],
    ['http.sslVerify', 'true'],
    ['maintenance.auto', 'false'],
    // The empty value removes the headers of other configurations. GitHub rejects a request with two authorization
    // headers.
    [`http.${remote.url}.extraheader`, ''],
    [`http.${remote.url}.extraheader`, `AUTHORIZATION: basic ${credentials}`],
  ];
  config.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return {
    ...env,
    GIT_CONFIG_COUNT: String(config.length),
    GIT_ALLOW_PROTOCOL: new URL(remote.url).protocol.slice(0, -1),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
}
