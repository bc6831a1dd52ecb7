import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGitFixture, type GitFixture } from '../../sandbox/git-fixture.ts';
import { type Ground, lookAt, openGround, type Seen } from './attempts.ts';
import { type Elsewhere, openElsewhere } from './elsewhere.ts';
import { faultKinds, type Side } from './fault-kinds.ts';

/**
 * What each fault gives to `fetch` and to both clients, over real sockets; and that a simulation gives the same. The
 * values are committed: where another Node gives others, they show as a difference, and the matrix in virtual time is
 * played with them.
 */
const SIDES: readonly Side[] = ['service', 'github'];
const KINDS = SIDES.flatMap((side) =>
  (['read', 'write'] as const).flatMap((access) =>
    faultKinds(access).map((kind) => ({ name: `${side}, ${access}, ${kind.name}`, side, access, kind })),
  ),
);

let repository: GitFixture;
let elsewhere: Elsewhere;
let ground: Ground;

beforeAll(async () => {
  repository = await createGitFixture({
    commits: [
      { name: 'start', files: { 'a.txt': '1\n' } },
      { name: 'head', files: { 'a.txt': '2\n' } },
    ],
    branches: { main: 'start', change: 'head' },
  });
  elsewhere = await openElsewhere();
  ground = await openGround(repository, elsewhere);
});

afterAll(async () => {
  await Promise.all([ground.service.close(), ground.github.close(), elsewhere.close()]);
  await repository.remove();
});

describe('what a fault gives', () => {
  const values = new Map<string, Seen>();

  test.each(KINDS)('over sockets and in a simulation: $name', async ({ name, ...fault }) => {
    // What other faults left of the connections to the same address makes a difference to these.
    const isOfConnection = fault.kind.how === 'stale' || fault.kind.how === 'refuse';
    const at = isOfConnection ? await openGround(repository, elsewhere) : ground;
    const sockets = await lookAt(at, 'sockets', fault);
    values.set(name, sockets);
    expect(await lookAt(at, 'simulation', fault)).toEqual(sockets);
    if (isOfConnection) await Promise.all([at.service.close(), at.github.close()]);
  });

  test('is as it was', async () => {
    // Only where all of them were looked at.
    expect(values.size).toBe(KINDS.length);
    const lines = [...values].map(([name, seen]) => `  ${JSON.stringify(name)}: ${JSON.stringify(seen)}`);
    await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(
      path.join(import.meta.dirname, 'fault-values.json'),
    );
  });

  test('never sends a token to another origin', () => {
    expect(elsewhere.requests.length).toBeGreaterThan(0);
    expect(elsewhere.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });
});
