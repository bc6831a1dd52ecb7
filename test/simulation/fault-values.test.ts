import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGitFixture, type GitFixture } from '../../sandbox/git-fixture.ts';
import { lookAt, openSharedFixture, type Seen, type SharedFixture } from './attempts.ts';
import { faultKinds, type Side } from './fault-kinds.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';

const SIDES: readonly Side[] = ['service', 'github'];
const KINDS = SIDES.flatMap((side) =>
  (['read', 'write'] as const).flatMap((access) =>
    faultKinds(access).map((kind) => ({ name: `${side}, ${access}, ${kind.name}`, side, access, kind })),
  ),
);

let repository: GitFixture;
let foreignOrigin: ForeignOrigin;
let fixture: SharedFixture;

beforeAll(async () => {
  repository = await createGitFixture({
    commits: [
      { name: 'start', files: { 'a.txt': '1\n' } },
      { name: 'head', files: { 'a.txt': '2\n' } },
    ],
    branches: { main: 'start', change: 'head' },
    bare: true,
  });
  foreignOrigin = await openForeignOrigin();
  fixture = await openSharedFixture(repository, foreignOrigin);
});

afterAll(async () => {
  await Promise.all([fixture.service.close(), fixture.github.close(), foreignOrigin.close()]);
  await repository.remove();
});

/**
 * The effect of each fault over real sockets: on `fetch`, and on the clients of the service and of GitHub. A simulation
 * must have the same effects.
 *
 * The effects are committed in fault-values.json. If another Node.js version behaves differently, the diff shows it.
 */
describe('the effect of a fault', () => {
  const values = new Map<string, Seen>();

  test.each(KINDS)(
    'a fault has the same effect over sockets and in a simulation: $name',
    async ({ name, ...fault }) => {
      // The faults `stale` and `refuse` depend on open connections, and other faults leave connections open. So `stale`
      // and `refuse` need servers of their own.
      const isOfConnection = fault.kind.how === 'stale' || fault.kind.how === 'refuse';
      const at = isOfConnection ? await openSharedFixture(repository, foreignOrigin) : fixture;
      const sockets = await lookAt(at, 'sockets', fault);
      values.set(name, sockets);
      expect(await lookAt(at, 'simulation', fault)).toEqual(sockets);
      if (isOfConnection) await Promise.all([at.service.close(), at.github.close()]);
    },
  );

  test('the effects of all faults equal fault-values.json (to update the file, use -u)', async () => {
    // The file is complete only if every kind of fault was tested.
    expect(values.size).toBe(KINDS.length);
    const lines = [...values].map(([name, seen]) => `  ${JSON.stringify(name)}: ${JSON.stringify(seen)}`);
    await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(
      path.join(import.meta.dirname, 'fault-values.json'),
    );
  });

  test('no fault makes a client send a token to another origin', () => {
    expect(foreignOrigin.requests.length).toBeGreaterThan(0);
    expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });
});
