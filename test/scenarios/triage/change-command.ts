import type { Interception } from '../../../sandbox/faults/interception.ts';
import { isObject } from '../../../sandbox/json.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import {
  blockedPullRequest,
  type CommentChanges,
  comment,
  type During,
  minutesLater,
} from './blocked-pull-request.ts';

/** Creates a pull request that the gate has blocked, and a token that may change the status of findings. */
export async function open(
  during: During = {},
  options: Pick<ScenarioOptions, 'driver'> = {},
): Promise<Scenario> {
  return blockedPullRequest(
    { ...options, service: { tokens: [{}, { scopes: ['read', 'findings:write'] }] } },
    {},
    during,
  );
}

/**
 * The labels of the findings of a scan.
 * @param scanId default: the newest scan
 */
export function labels({ environment }: Scenario, scanId?: string): readonly string[] {
  const scan = environment.service.scans().find(({ id }) => scanId === undefined || id === scanId);
  return (scan?.findingIds ?? []).map((id) => `ZK-${id.slice(-8)}`);
}

/**
 * Writes a comment that is newer than the result of the gate. Then runs the triage action with the token that may
 * change the status of findings.
 */
export function ask(scenario: Scenario, body: string, changes: CommentChanges = {}) {
  const triageToken = scenario.environment.service.tokens[1]?.token ?? '';
  const inputs = { 'triage-token': triageToken, ...changes.inputs };
  return comment(scenario, { createdAt: minutesLater(scenario, 5), ...changes, inputs, body });
}

export function patches({
  environment,
}: Scenario): readonly { readonly status: unknown; readonly note: string }[] {
  return environment.service.requests
    .filter(({ method }) => method === 'PATCH')
    .map(({ body }) => {
      const { resolutionStatus, note }: Record<string, unknown> = isObject(body) ? body : {};
      return { status: resolutionStatus, note: String(isObject(note) ? note['content'] : '') };
    });
}

export function status(code: number, error = 'internal'): Interception {
  return { status: code, body: { error: { code: error, message: 'Not now.' } } };
}

export const onPatch = (answer: (count: number) => Interception | undefined): During => {
  let count = 0;
  return {
    service: ({ point }) => {
      if (point !== 'findings.resolution') return undefined;
      count += 1;
      return answer(count);
    },
  };
};

/** Removes the markup from a reply. */
export function plain(markdown = ''): string {
  return markdown
    .replaceAll(/<\/?code>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
