import path from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../../sandbox/git-process.ts';
import { at, expectTable } from '../play.ts';
import { openGitHub } from './facts.ts';
import { setup, setupOwn } from './fixture.ts';

test.each(['check-runs', 'graphql', 'pull-requests', 'repository'])(
  'the fake GitHub keeps the facts about %s',
  (subject) => expectTable(path.join(import.meta.dirname, `${subject}.golden.txt`), openGitHub),
);

test('a comparison follows refs that change while the server runs, and reads commits with an impossible time zone', async () => {
  const { repo, call } = await setupOwn();
  const compared = async (what: string) => (await call('GET', `compare/${what}`)).body;
  expect(await compared('main...topic')).toMatchObject({ ahead_by: 3, behind_by: 1 });
  const person = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid'];
  await repo.git(...person, 'tag', '-a', 'v1', '-m', 'an annotated tag', repo.id('root'));
  expect(await compared(encodeURIComponent('v1...topic'))).toMatchObject({ status: 'ahead', ahead_by: 3 });
  expect(await compared(`${repo.id('t1').slice(0, 10)}...topic`)).toMatchObject({ ahead_by: 2 });
  const [tree, main] = [await repo.git('rev-parse', 'main^{tree}'), repo.id('main')];
  const who = 'Old <old@example.invalid> 1312735823 +051800';
  const input = `tree ${tree}\nparent ${main}\nauthor ${who}\ncommitter ${who}\n\nodd\n`;
  const odd = (await git(repo.dir, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input }))
    .toString()
    .trim();
  // A comparison shows the dates of the tip of the base branch. Only the tip needs a valid time zone.
  const tip = await repo.git(...person, 'commit-tree', tree, '-p', odd, '-m', 'even');
  await repo.git('update-ref', 'refs/heads/main', tip);
  await repo.git('update-ref', 'refs/heads/odd', odd);
  expect(await compared('main...topic')).toMatchObject({ ahead_by: 3, behind_by: 3 });
  for (const path of ['git/ref/heads/odd', 'contents/b.txt?ref=odd']) {
    expect((await call('GET', path)).status).toBe(200);
  }
});

test('a branch of the options is found like a branch of the repository', async () => {
  const { repo, call } = await setup({ branches: { 'release/1': 'f'.repeat(40) } });
  const { call: other } = await setup({ branches: { 'release/1': repo.id('t2') } });
  expect((await call('GET', 'compare/release/1...main')).status).toBe(404);
  expect(at((await other('GET', 'compare/release/1...topic')).body, 'merge_base_commit.sha')).toBe(
    repo.id('t2'),
  );
});

test('the fake GitHub keeps the annotations, the history of a check run and the reactions', async () => {
  const { github, repo, call } = await setup();
  const annotation = { path: 'a.txt', start_line: 1, end_line: 1, annotation_level: 'notice', message: 'm' };
  await call('POST', 'check-runs', { name: 'n', head_sha: repo.id('t3') });
  const output = { title: 'T', summary: 'S', annotations: [annotation] };
  await call('PATCH', 'check-runs/1001', { output, conclusion: 'neutral' });
  await call('PATCH', 'check-runs/1001', { output });
  expect(github.checkRuns).toMatchObject([{ conclusion: 'neutral', annotations: [annotation, annotation] }]);
  expect(github.checkRuns[0]?.history).toHaveLength(3);
  const { id } = github.addComment({ body: 'hello' });
  for (let times = 0; times < 2; times += 1) {
    await call('POST', `issues/comments/${id}/reactions`, { content: '+1' });
  }
  expect(github.reactions).toEqual([{ comment: id, content: '+1' }]);
  expect(() => github.setBase(8, 'main')).toThrow('no pull request 8');
  const times = [github.pullRequests.get(7)?.updatedAt];
  for (let edits = 0; edits < 2; edits += 1) {
    github.edit(7, {});
    times.push(github.pullRequests.get(7)?.updatedAt);
  }
  expect(times.map(String)).toEqual([...new Set(times.map(String))].toSorted());
});
