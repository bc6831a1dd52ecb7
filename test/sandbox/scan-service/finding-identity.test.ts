import { expect, test } from 'vitest';
import type { FixtureDescription } from '../../../sandbox/git-fixture.ts';
import { sharedRepository } from '../../support/shared-repository.ts';
import { FULL } from './fact.ts';
import { start } from './harness.ts';

const EVAL = 'function f(x) { eval(x); }\n';
const READ = (root: string) =>
  `import fs from 'fs';\nconst root = ${root};\nconst f = (req) => fs.readFileSync(root + req.query.name);\n`;

/** The versions of `a.js` and `b.js`. Each letter stands for the id of a finding, and each group for a version. */
const ROWS: readonly [what: string, versions: (string | [a: string, b: string])[], ids: string][] = [
  ['lines are added above', [EVAL, `let a;\nlet b;\n${EVAL}`], 'A A'],
  ['lines are removed below', [EVAL, EVAL.trimEnd()], 'A A'],
  ['lines beside it are edited', [EVAL, `let another;\n${EVAL}let edited;\n`], 'A A'],
  ['its code is wrapped', [EVAL, `  function f(x) {\n    eval(\n      x,\n    );\n  }\n`], 'A A'],
  ['another vulnerability of the rule comes above', [EVAL, `eval(other);\n${EVAL}`], 'A BA'],
  ['a harmless value is edited', [READ("'a/'"), READ("'b/'")], 'A A'],
  ['it is removed and comes back', [EVAL, 'let a;\n', EVAL], 'A - A'],
  ['it is there three times', [[EVAL + EVAL, EVAL]], 'ABC'],
  ['the second of two is fixed', [EVAL + EVAL, EVAL], 'AB A'],
  ['the dangerous code changes', [EVAL, EVAL.replace('eval(x)', 'eval(x.y)')], 'A B'],
];

/** One repository has the versions of all rows. */
const VERSIONS: FixtureDescription = {
  commits: ROWS.flatMap(([what, versions]) =>
    versions.map((version, index) => {
      const [a, b = ''] = typeof version === 'string' ? [version] : version;
      return { name: `${what} ${index}`, files: { 'a.js': a, 'b.js': b } };
    }),
  ),
};

test.each(ROWS)('the ids of a vulnerability if %s', async (what, versions, expected) => {
  // The scans make no map of the repository, because the ids do not depend on it.
  const survey = async () => ({ branches: [], files: [] });
  const repository = await sharedRepository(VERSIONS);
  const { launch, finish, service } = await start({ repositories: [{ gitDir: repository.dir }], survey });
  for (const index of versions.keys()) {
    await finish(await launch({ ...FULL, commit: repository.id(`${what} ${index}`) }));
  }
  const found = service
    .scans()
    .map(({ findingIds }) => findingIds)
    .toReversed();
  const known = [...new Set(found.flat())];
  const letters = found.map((ids) => ids.map((id) => 'ABC'[known.indexOf(id)]).join('') || '-');
  // A letter is given in the order in which the scans found the vulnerabilities.
  expect(letters.join(' ')).toBe(expected);
});
