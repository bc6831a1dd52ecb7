import { describe, expect, test } from 'vitest';
import { answerOf, clientOf, NAMES } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { everyCall, type Ids } from '../every-call.ts';
import { TokenInformation } from '../records.ts';
import { SCOPES, type Session } from '../session.ts';

const UNKNOWN = 'does-not-exist';

export function access(session: () => Session): void {
  /** Ids for well-formed calls. Only the repository and the commit exist. */
  const ids = (): Ids => ({
    repository: session().repository,
    commit: session().shop.base,
    ...{ scan: UNKNOWN, finding: UNKNOWN, note: UNKNOWN, area: UNKNOWN },
  });

  describe('access to the API', () => {
    test('GET /token shows the project, scopes and restrictions of the token', async () => {
      const information = accepted(await session().client.token(), 200, TokenInformation);
      expect(information[NAMES.token.project].id).toBe(session().sandbox.projectId);
      expect(information[NAMES.token.scopes]).toEqual(SCOPES);
      expect(session().sandbox.token).toMatch(/^[a-z]+_proj_[^_]+_[^_]+$/);
      expect(accepted(await session().restricted.token(), 200, TokenInformation)).toMatchObject({
        [NAMES.token.scopes]: SCOPES,
        [NAMES.token.allowlist]: ['acme/other'],
        [NAMES.token.expiry]: '2999-01-01T00:00:00.000Z',
        [NAMES.token.spendLimit]: 50,
      });
    });

    test('the service refuses a missing, malformed, wrong or expired token at every endpoint, with the same message', async () => {
      const { baseUrl, token, projectId } = session().sandbox;
      const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
      const noSuchKey = token.replace(/_[^_]+_/, '_000000000000_');
      const bodies = new Set<string>();
      const bad = [null, 'garbage', 'svc_proj_', wrong, noSuchKey, `${token}x`];
      for (const client of [session().expired, ...bad.map((one) => clientOf(baseUrl, one, projectId))]) {
        for (const call of [client.token, ...everyCall(client, ids()).map(([, , each]) => each)]) {
          const answer = await call();
          refused(answer, '401 unauthorized');
          bodies.add(JSON.stringify(answer.body));
        }
      }
      expect([...bodies]).toHaveLength(1);
    });

    test('the service refuses every request with a token in the query string', async () => {
      const { baseUrl, token } = session().sandbox;
      const headers = { authorization: `Bearer ${token}` };
      for (const query of [`token=${token}`, `a=${token}`, 'api_token=x']) {
        const address = `${baseUrl}/token?${query}`;
        refused(await answerOf(await fetch(address)), '400 bad_request');
        refused(await answerOf(await fetch(address, { headers })), '400 bad_request');
      }
    });

    test('for the id of another project, the service answers 404 with the id of the right project', async () => {
      const { baseUrl, token, projectId } = session().sandbox;
      const astray = clientOf(baseUrl, token, 'prj_somebody_elses');
      for (const [name, , call] of everyCall(astray, ids())) {
        expect(refused(await call(), '404 not_found'), name).toContain(projectId);
      }
    });

    test('the service answers 404 for a missing record, at any endpoint', async () => {
      const { client } = session();
      const nowhere = everyCall(client, { ...ids(), repository: UNKNOWN });
      const aboutOneThing = nowhere.filter(([name]) => !/^(?:launch|list (?!audit))/.test(name));
      expect(
        aboutOneThing,
        'the calls that name one thing; the others begin with launch or list',
      ).toHaveLength(13);
      for (const [, , call] of aboutOneThing) refused(await call(), '404 not_found');
      refused(await client.deleteAuditArea(session().repository, UNKNOWN), '404 not_found');
      refused(await client.launch({ ...session().plain, repository: UNKNOWN }), '404 not_found');
    });

    test('the service answers 403 at every endpoint whose scope the token lacks', async () => {
      for (const scope of SCOPES) {
        const calls = everyCall(session().withScope(scope), { ...ids(), repository: UNKNOWN });
        for (const [name, needed, call] of calls) {
          const answer = await call();
          if (needed !== scope) refused(answer, '403 forbidden');
          else expect(answer.status, name).not.toBe(403);
        }
        accepted(await session().withScope(scope).token(), 200, TokenInformation);
      }
    });

    const sent = async (path: string, init: RequestInit = {}) => {
      const { baseUrl, token } = session().sandbox;
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...init.headers,
      };
      return answerOf(await fetch(`${baseUrl}${path}`, { ...init, headers }));
    };

    test.each([
      ['nothing', ''],
      ['cut JSON', '{'],
      ['null', 'null'],
      ['an array', '[]'],
      ['a text', '"text"'],
      ['more than 4 MiB', JSON.stringify({ a: 'x'.repeat(4 * 1024 * 1024) })],
      ['another type', '{}', 'text/plain'],
    ])('the service refuses a body that is not a JSON object: %s', async (_what, body, type?: string) => {
      const path = `/projects/${session().sandbox.projectId}/scans`;
      const headers = type === undefined ? {} : { 'content-type': type };
      refused(await sent(path, { method: 'POST', body, headers }), '400 bad_request');
    });

    test('the service answers 404 for an endpoint that it does not have', async () => {
      const scans = `/projects/${session().sandbox.projectId}/scans`;
      for (const path of [
        '/nothing',
        '/token/',
        '/scans',
        '',
        '/../..//',
        '/../../..//v1/token',
        `${scans}/%zz`,
      ]) {
        refused(await sent(path), '404 not_found');
      }
      refused(await sent(scans, { method: 'DELETE' }), '404 not_found');
    });
  });
}
