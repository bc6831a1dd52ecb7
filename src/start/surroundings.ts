import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { type GitHubEnvironment, readEnvironment } from '../github/environment.ts';
import { readPayload } from '../github/payload.ts';
import { useProxy } from '../http/proxy.ts';

/** What the runner provides about the job and its event. */
export interface Surroundings {
  readonly environment: GitHubEnvironment;
  /** The payload of the event, not validated yet. */
  readonly payload: unknown;
}

/**
 * Reads the runner's environment and the event's payload. Makes all requests use the proxy that the environment
 * names.
 * @param baseUrl the address of the service
 * @returns an error if the step cannot begin
 */
export async function readSurroundings(baseUrl: string): Promise<Result<Surroundings, NotScanned>> {
  const proxyFault = useProxy(process.env, baseUrl);
  if (proxyFault !== undefined) return err(proxyFault);
  const environment = readEnvironment(process.env);
  if (!environment.ok) return environment;
  const payload = readPayload(environment.value.eventPath);
  if (!payload.ok) return payload;
  return ok({ environment: environment.value, payload: payload.value });
}
