import type { Answer } from '../../../sandbox/faults/interception.ts';
import type { Permissions } from '../../../sandbox/github/access.ts';
import { callerOf } from '../../../sandbox/github/access.ts';
import { dispatch } from '../../../sandbox/github/dispatch.ts';
import { API_PREFIX, processRequest, targetOf } from '../../../sandbox/scan-service/process-request.ts';
import type { Sent } from '../../support/driver/network.ts';
import type { CheckRunLag } from './check-run-lag.ts';
import { ADDRESSES, type HistoryEnvironment, type SharedFixture } from './environment.ts';
import type { Process } from './network.ts';

/** The kind of a request, and the function that answers the request. */
export interface RequestHandler {
  readonly side: 'service' | 'github';
  readonly point: string;
  readonly answer: () => Promise<Answer>;
}

const PERMISSIONS: Readonly<Record<Process['step'], Permissions>> = {
  whole: { contents: 'read', checks: 'write', 'pull-requests': 'write' },
  narrow: { contents: 'read', checks: 'read', 'pull-requests': 'write' },
};

/** Finds the handler of a request. */
export function createRequestHandlers(
  fixture: SharedFixture,
  environment: HistoryEnvironment,
  lag: CheckRunLag,
): (sent: Sent, process: Pick<Process, 'step'>) => RequestHandler {
  return (sent, { step }) => {
    const { method, url, headers, text } = sent;
    if (url.href.startsWith(ADDRESSES.service)) {
      const inside = new URL(`${API_PREFIX}${url.href.slice(ADDRESSES.service.length)}`, url.origin);
      const request = { method, url: inside, headers, text };
      return {
        side: 'service',
        point: targetOf(request).point,
        answer: () => processRequest(environment.service, request),
      };
    }
    const incoming = {
      method,
      url,
      headers,
      raw: Buffer.from(text),
      body: text === '' ? undefined : parsed(text),
      caller: callerOf(headers, fixture.gitHost.token),
    };
    const { point, answer } = dispatch(incoming, environment.github, PERMISSIONS[step]);
    return { side: 'github', point, answer: async () => lag(point, await answer()) };
  };
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}
