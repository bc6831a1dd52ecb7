import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { NAMES } from '../client.ts';
import { accepted } from '../documented-answer.ts';
import { DOCUMENTED } from '../documented-endpoints.ts';
import type { Session } from '../session.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const Contract = v.looseObject({
  openapi: v.pipe(v.string(), v.startsWith('3.1.')),
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
});

/** The names of all members that are marked as assumed, at any depth of this value. */
function assumedIn(node: unknown, name = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, value]) => assumedIn(value, key));
  return Reflect.get(node, 'x-assumed') === true ? [name, ...below] : below;
}

export function contract(session: () => Session): void {
  const read = async () => accepted(await session().client.contract(), 200, Contract);

  describe('the contract that the sandbox serves', () => {
    test('the served contract has exactly the documented endpoints', async () => {
      const endpoints = Object.entries((await read()).paths).flatMap(([route, operations]) =>
        METHODS.filter((method) => method in operations).map((method) => `${method.toUpperCase()} ${route}`),
      );
      expect(endpoints.sort(), 'openapi.yaml has the endpoints of documented-endpoints.ts').toEqual(
        [...DOCUMENTED].sort(),
      );
    });

    test('the served contract marks undocumented names as assumed', async () => {
      const { publicPages: _pages, contract: _contract, ...records } = NAMES;
      const lookedUp = Object.values(records).flatMap((names): string[] => Object.values(names));
      expect(lookedUp).toContain(NAMES.launch.commit);
      const assumed = assumedIn(await read());
      expect(lookedUp.filter((name) => !assumed.includes(name))).toEqual([]);
    });
  });
}
