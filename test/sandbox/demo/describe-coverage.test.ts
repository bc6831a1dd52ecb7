import { afterEach, expect, test } from 'vitest';
import { describeCoverage } from '../../../sandbox/demo/describe-coverage.ts';
import { givenChange } from '../../../sandbox/demo/local-change.ts';
import { createGitFixture, type FixtureCommit, type GitFixture } from '../../../sandbox/git-fixture.ts';

let fixture: GitFixture | undefined;
afterEach(() => fixture?.remove());

const BASE: FixtureCommit = { name: 'base', files: { 'old.py': 'a = 1\n', 'gone.js': 'eval(x)\n' } };

async function said(head: FixtureCommit): Promise<string> {
  fixture = await createGitFixture({ commits: [BASE, head] });
  return describeCoverage(await givenChange(fixture.dir, fixture.id('base'), fixture.id(head.name)));
}

test('a change in another language is not called read', async () => {
  expect(await said({ name: 'python', files: { 'old.py': 'import os\nos.system(input())\n' } })).toMatch(
    /^The fake scanning service read 0 of 1 changed file\. The verdict does not cover the rest\. It is not a real scanner/,
  );
});

test('files that it knows are counted, those that are gone are not, and too large ones are not read', async () => {
  const files = {
    'a.ts': 'export {};\n',
    'b.jsx': '1;\n',
    'c.rb': 'puts 1\n',
    'large.js': '1;\n'.repeat(500_000),
    'gone.js': null,
  };
  expect(await said({ name: 'mixed', files })).toContain('read 2 of 4 changed files. The verdict');
});

test('where everything was read nothing is held back, but it stays no real scanner', async () => {
  const text = await said({ name: 'code', files: { 'a.js': '1;\n' } });
  expect(text).toContain('read 1 of 1 changed file. It is not a real scanner');
});

test('without a common ancestor nothing was scanned, so no file is counted', async () => {
  const text = await said({ name: 'another root', parents: [], files: { 'a.js': '1;\n' } });
  expect(text).toContain('It is not a real scanner');
  expect(text).not.toContain('changed file');
});
