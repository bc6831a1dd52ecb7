import { describe, expect, it, onTestFinished } from 'vitest';
import { createGitFixture } from '../../../sandbox/git-fixture.ts';
import { at, start, textAt } from './harness.ts';

const VULNERABLE_CODE = 'function f(x) { eval(x); }\n';

/**
 * Runs one full scan for each version of the repository's files. Returns the ids of the findings of each scan, in the
 * order in which the service lists them.
 */
async function idsOf(...versions: Record<string, string | null>[]): Promise<string[][]> {
  const repository = await createGitFixture({
    commits: versions.map((files, index) => ({ name: `v${index}`, files })),
    bare: true,
  });
  onTestFinished(() => repository.remove());
  const { call, launch, finish } = await start({
    repositories: [{ owner: 'a', name: 'b', gitDir: repository.dir }],
    // The scans make no map of the repository, because the ids do not depend on it.
    survey: async () => ({ branches: [], files: [] }),
  });
  const found: string[][] = [];
  for (const index of versions.keys()) {
    const commit = repository.id(`v${index}`);
    const scanId = await launch({ presetRef: 'full-audit', baseCommit: undefined, commit });
    await finish(scanId);
    const { body } = await call('GET', `/projects/{project}/findings?scanId=${scanId}`);
    const items = at(body, 'items');
    found.push(Array.isArray(items) ? items.map((item) => textAt(item, 'id')) : []);
  }
  return found;
}

describe('the id of a finding', () => {
  it.each([
    ['lines are added above', `let a;\nlet b;\n${VULNERABLE_CODE}`],
    ['lines are removed below', VULNERABLE_CODE.trimEnd()],
    ['lines beside it are edited', `let another;\n${VULNERABLE_CODE}let edited;\n`],
    ['its code is indented and wrapped', `  function f(x) {\n    eval(\n      x,\n    );\n  }\n`],
    ['a different vulnerability of the same rule is added above', `eval(other);\n${VULNERABLE_CODE}`],
  ])('the id of a finding does not change when %s', async (_what, code) => {
    const [[id = 'none', ...more] = [], after] = await idsOf({ 'a.js': VULNERABLE_CODE }, { 'a.js': code });
    expect(more).toEqual([]);
    expect(after).toContain(id);
  });

  it('the id of a finding does not change when a harmless value next to the dangerous one is edited', async () => {
    const code = (root: string) =>
      `import fs from 'fs';\nconst root = ${root};\nconst f = (req) => fs.readFileSync(root + req.query.name);\n`;
    const [before = [], after] = await idsOf({ 'a.js': code("'a/'") }, { 'a.js': code("'b/'") });
    expect(before).toHaveLength(1);
    expect(after).toEqual(before);
  });

  it('a vulnerability that is removed and comes back has the same finding id as before', async () => {
    const [first, without, again] = await idsOf(
      { 'a.js': VULNERABLE_CODE },
      { 'a.js': 'let a;\n' },
      { 'a.js': VULNERABLE_CODE },
    );
    expect(first).toHaveLength(1);
    expect(without).toEqual([]);
    expect(again).toEqual(first);
  });

  it('equal vulnerabilities have different ids, whether in one file or in two', async () => {
    const [ids] = await idsOf({ 'a.js': `${VULNERABLE_CODE}${VULNERABLE_CODE}`, 'b.js': VULNERABLE_CODE });
    expect(new Set(ids).size).toBe(3);
  });

  it('the first of two equal vulnerabilities keeps its id when the second is fixed', async () => {
    const [both = [], one] = await idsOf(
      { 'a.js': `${VULNERABLE_CODE}${VULNERABLE_CODE}` },
      { 'a.js': VULNERABLE_CODE },
    );
    expect(one).toEqual(both.slice(0, 1));
  });

  it('the id of a finding changes when the dangerous code changes', async () => {
    const [before = [], after = []] = await idsOf(
      { 'a.js': VULNERABLE_CODE },
      { 'a.js': VULNERABLE_CODE.replace('eval(x)', 'eval(x.y)') },
    );
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  it('the ids of a finding differ in two repositories that hold the same file', async () => {
    const repository = await createGitFixture({
      commits: [{ name: 'v', files: { 'a.js': VULNERABLE_CODE } }],
      bare: true,
    });
    onTestFinished(() => repository.remove());
    const { call, launch, finish, service } = await start({
      repositories: ['one', 'two'].map((name) => ({ owner: 'a', name, gitDir: repository.dir })),
    });
    const ids: string[] = [];
    for (const { id: repositoryId } of service.repositories) {
      const over = {
        repositoryId,
        presetRef: 'full-audit',
        baseCommit: undefined,
        commit: repository.id('v'),
      };
      const scanId = await launch(over);
      await finish(scanId);
      const { body } = await call('GET', `/projects/{project}/findings?scanId=${scanId}`);
      ids.push(textAt(body, 'items', 0, 'id'));
    }
    expect(new Set(ids).size).toBe(2);
  });
});
