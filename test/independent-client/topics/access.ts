import { describe, expect, test } from 'vitest';
import { answerOf, clientOf, NAMES } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { everyCall, type Ids } from '../every-call.ts';
import { Repositories, TokenInformation } from '../records.ts';
import type { Session } from '../session.ts';

const SCOPES = ['read', 'findings:write', 'guidance:write', 'scans:launch', 'publish'];
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
      expect(information[NAMES.token.scopes].filter((scope) => !SCOPES.includes(scope))).toEqual([]);
      expect(information[NAMES.token.scopes]).toContain('read');
      expect(session().sandbox.token).toMatch(/^[a-z]+_proj_[^_]+_[^_]+$/);
    });

    test('the service answers the curl request that the sandbox prints', async () => {
      const { tried, token } = session().sandbox;
      const answer = await answerOf(await fetch(tried, { headers: { authorization: `Bearer ${token}` } }));
      accepted(answer, 200, Repositories);
    });

    test('the service refuses a missing, malformed or wrong token at every endpoint, with the same message', async () => {
      const { baseUrl, token, projectId } = session().sandbox;
      const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
      const noSuchKey = token.replace(/_[^_]+_/, '_000000000000_');
      const bodies = new Set<string>();
      for (const badToken of [null, 'garbage', 'svc_proj_', wrong, noSuchKey]) {
        const client = clientOf(baseUrl, badToken, projectId);
        for (const call of [client.token, ...everyCall(client, ids()).map(([, each]) => each)]) {
          const answer = await call();
          refused(answer, '401 unauthorized');
          bodies.add(JSON.stringify(answer.body));
        }
      }
      expect([...bodies]).toHaveLength(1);
    });

    test('the service refuses every request with a token in the query string', async () => {
      const { baseUrl, token } = session().sandbox;
      const address = `${baseUrl}/token?token=${token}`;
      refused(await answerOf(await fetch(address)), '400 bad_request');
      const headers = { authorization: `Bearer ${token}` };
      refused(await answerOf(await fetch(address, { headers })), '400 bad_request');
    });

    test('for the id of another project, the service answers 404 with the id of the right project', async () => {
      const { baseUrl, token, projectId } = session().sandbox;
      const astray = clientOf(baseUrl, token, 'prj_somebody_elses');
      for (const [name, call] of everyCall(astray, ids())) {
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
      for (const [, call] of aboutOneThing) refused(await call(), '404 not_found');
      refused(await client.deleteAuditArea(session().repository, UNKNOWN), '404 not_found');
      refused(await client.launch({ ...session().plain, repository: UNKNOWN }), '404 not_found');
    });

    test.each(['', '{', 'null', '[]', '"text"'])(
      'the service refuses a body that is not a JSON object: %j',
      async (body) => {
        const { baseUrl, token, projectId } = session().sandbox;
        const response = await fetch(`${baseUrl}/projects/${projectId}/scans`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body,
        });
        refused(await answerOf(response), '400 bad_request');
      },
    );
  });
}
