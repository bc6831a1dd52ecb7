import { describe, expect, test } from 'vitest';
import { MOST_FILES, MOST_FOLDERS } from '../../../src/change/changed-files.ts';
import { decideByPaths } from '../../../src/change/unscanned-paths.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import type { DiffBase, ScanTarget } from '../../../src/domain/target.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import { DeadlineClock } from '../../support/deadline-clock.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { githubClient } from '../../support/github-client.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { type Folder, filesOnGitHub } from './repository-files.ts';

const TARGET = {
  event: 'pull_request',
  base: { kind: 'branch', name: 'main', tip: SHA.base },
} as const;
const PATTERNS = 'docs/**\n**/*.md';

interface Asked {
  readonly event?: ScanTarget['event'];
  readonly patterns?: string;
  readonly guidanceFile?: string;
  readonly how?: DiffBase['how'];
  readonly baseSha?: string | undefined;
  readonly headSha?: string;
  readonly fail?: readonly [request: number, kind: GitHubError['kind']];
}

async function decide(base: Folder, head: Folder, asked: Asked = {}) {
  const { event = 'pull_request', patterns = PATTERNS, guidanceFile, how = 'compare', fail } = asked;
  const files = filesOnGitHub({ [SHA.base]: base, [SHA.head]: head });
  if (fail !== undefined) files.fail(fail[0], { kind: fail[1] });
  const read = readPathPatterns(patterns);
  expect(read.slips).toEqual([]);
  const diffBase: DiffBase = { baseSha: SHA.base, headSha: SHA.head, ...asked, how };
  const decision = await decideByPaths(
    { github: files.github, clock: new FakeClock(), signal: NEVER_ABORTED },
    { ...TARGET, event },
    diffBase,
    { pathsUnscanned: read.patterns, guidanceFile },
  );
  return { decision, requests: files.asked.length };
}

const code: Folder = { 'a.js': 'one' };
const before: Folder = { 'README.md': 'hello', docs: { 'a.md': 'one', img: { 'a.png': 'x' } }, src: code };
const link = { mode: '120000' };
const module = { mode: '160000' };
const doc = { ...before, docs: { ...(before['docs'] as Folder), 'a.md': 'two' } };

describe('decideByPaths: every changed file matches paths-unscanned', () => {
  test.each<[string, Folder, string, number]>([
    ['one file', doc, 'The only changed file matches `paths-unscanned`: `docs/a.md`.', 4],
    [
      'several files',
      { ...doc, 'README.md': 'bye', src: { ...code, 'notes.md': 'new' } },
      'All 3 changed files match `paths-unscanned`: `README.md`, `docs/a.md`, `src/notes.md`.',
      6,
    ],
    ['a new file', { ...before, 'NEW.md': 'x' }, 'matches `paths-unscanned`: `NEW.md`.', 2],
    ['a deleted file', { ...before, docs: { img: { 'a.png': 'x' } } }, '`paths-unscanned`: `docs/a.md`.', 4],
    ['a whole folder', { 'README.md': 'hello', src: code }, 'All 2 changed files match', 4],
    [
      'a file that moved between two paths of `paths-unscanned`',
      { ...before, docs: { 'b.md': 'one', img: { 'a.png': 'x' } } },
      'All 2 changed files match `paths-unscanned`: `docs/a.md`, `docs/b.md`.',
      4,
    ],
    [
      'a folder in place of a file',
      { ...before, docs: { 'a.md': { 'b.md': 'x' }, img: { 'a.png': 'x' } } },
      'All 2 changed files match `paths-unscanned`: `docs/a.md`, `docs/a.md/b.md`.',
      5,
    ],
    [
      'a file in place of a folder',
      { ...before, docs: { 'a.md': 'one', img: 'x' } },
      'All 2 changed files match `paths-unscanned`: `docs/img`, `docs/img/a.png`.',
      5,
    ],
  ])('decideByPaths skips the scan of %s', async (_what, head, cause, requests) => {
    const made = await decide(before, head);
    expect(made.decision).toMatchObject({
      kind: 'unscanned',
      failure: {
        reason: 'paths',
        cause: expect.stringContaining(cause),
        nextStep: 'Change the patterns of `paths-unscanned` in the workflow and push.',
      },
    });
    expect(made.requests).toBe(requests);
  });

  test.each(['pull_request', 'pull_request_target', 'merge_group'] as const)(
    'decideByPaths skips the scan on %s',
    async (event) => {
      expect((await decide(before, doc, { event })).decision.kind).toBe('unscanned');
    },
  );

  test('decideByPaths skips the scan if git found the merge base', async () => {
    expect((await decide(before, doc, { how: 'git' })).decision.kind).toBe('unscanned');
  });

  test('decideByPaths names at most twenty files, and replaces the backticks in their names', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`a\`${index}.md`, 'x']));
    const { decision } = await decide({}, many);
    expect(decision).toMatchObject({
      failure: { cause: expect.stringMatching(/: `a'0\.md`, .*`a'19\.md`, and 10 more\.$/) },
    });
  });
});

describe('decideByPaths: changes that need a scan, and similar changes', () => {
  const changed = (changes: Folder): Folder => ({ ...doc, ...changes });
  test.each<[string, Folder, Folder, string, Asked?]>([
    ['code', before, changed({ src: { 'a.js': 'two' } }), '`src/a.js` does not match'],
    ['new code', before, changed({ 'b.js': 'x' }), '`b.js` does not match'],
    ['deleted code', before, changed({ src: {} }), '`src/a.js` does not match'],
    [
      'a rename to a path outside `paths-unscanned`',
      before,
      { ...before, docs: { img: { 'a.png': 'x' } }, 'a.js': 'one' },
      '`a.js` does not match',
    ],
    [
      'a rename from a path outside `paths-unscanned`',
      before,
      { ...before, src: {}, docs: { ...(before['docs'] as Folder), 'a.js': 'one' } },
      '`src/a.js` does not match',
    ],
    [
      'a file that a pattern excludes',
      before,
      doc,
      '`docs/a.md` does not match',
      { patterns: 'docs/**\n!docs/a.md' },
    ],
    [
      'a path in another letter case',
      before,
      { ...before, Docs: { 'a.txt': 'x' } },
      '`Docs/a.txt` does not match',
    ],
    [
      'a path with an invisible character',
      before,
      { ...before, docs: { 'a\u202e.md': 'x' } },
      'does not match',
    ],
    [
      'a path with `..`',
      before,
      { ...before, docs: { '..': { 'a.md': 'x' } } },
      '`docs/../a.md` does not match',
    ],
    [
      'code that becomes executable',
      { run: { mode: '100644' } },
      { run: { mode: '100755' } },
      '`run` does not match',
    ],
    ['a new symlink', before, { ...before, docs: { 'b.md': link } }, '`docs/b.md` is no regular file'],
    [
      'a deleted symlink',
      { ...before, docs: { 'b.md': link } },
      { ...before, docs: {} },
      '`docs/b.md` is no regular file',
    ],
    [
      'a file that becomes a symlink',
      before,
      { ...before, 'README.md': link },
      '`README.md` is no regular file',
    ],
    [
      'a symlink that becomes a file',
      { ...before, 'README.md': link },
      before,
      '`README.md` is no regular file',
    ],
    [
      'a new submodule',
      before,
      { ...before, docs: { ...(before['docs'] as Folder), sub: module } },
      '`docs/sub` is no regular file',
    ],
    [
      'a deleted submodule',
      { ...before, docs: { sub: module } },
      { ...before, docs: {} },
      '`docs/sub` is no regular file',
    ],
    [
      'a folder in place of a submodule',
      { docs: { sub: module } },
      { docs: { sub: { 'a.md': 'x' } } },
      '`docs/sub` is no regular file',
    ],
    [
      'a file with an unknown mode',
      before,
      { ...before, 'README.md': { mode: '100600' } },
      '`README.md` is no regular file',
    ],
    [
      'a workflow',
      before,
      { ...before, '.github': { workflows: { 'a.md': 'x' } } },
      '`.github/workflows/a.md` is always',
    ],
    [
      'a workflow in another letter case',
      before,
      { ...before, '.GitHub': { Workflows: { 'a.md': 'x' } } },
      'is always',
    ],
    [
      'a file in place of the workflows',
      before,
      { ...before, '.github': { workflows: 'x' } },
      '`.github/workflows` is always',
      { patterns: '.github/**' },
    ],
    ['a local action', before, { ...before, '.github': { actions: { a: { 'a.md': 'x' } } } }, 'is always'],
    ['action.yml', before, { ...before, docs: { 'action.yml': 'x' } }, '`docs/action.yml` is always'],
    [
      'action.yaml',
      before,
      { ...before, 'action.yaml': 'x' },
      '`action.yaml` is always',
      { patterns: '*.yaml' },
    ],
    [
      '.gitmodules',
      before,
      { ...before, '.gitmodules': 'x' },
      '`.gitmodules` is always',
      { patterns: '.git*' },
    ],
    ['the guidance file', before, doc, '`docs/a.md` is always', { guidanceFile: 'docs/a.md' }],
    [
      'the guidance file in another letter case',
      before,
      doc,
      '`docs/a.md` is always',
      { guidanceFile: 'Docs/A.md' },
    ],
    [
      'a change from a base that the workflow gives',
      before,
      doc,
      'the workflow sets the base',
      { how: 'input' },
    ],
  ])('decideByPaths requires a scan of %s', async (_what, base, head, why, asked = {}) => {
    expect((await decide(base, head, asked)).decision).toEqual({
      kind: 'scanned',
      why: expect.stringContaining(why),
      warnings: [],
    });
  });

  test.each<[string, Folder]>([
    ['workflows in another folder', { docs: { '.github': { workflows: { 'a.yml': 'x' } } } }],
    [
      'files whose names begin with `workflows` or `actions`',
      { '.github': { 'workflows.md': 'x', 'actions.md': 'x' } },
    ],
    [
      'files whose names contain `action.yml` or `.gitmodules`',
      { docs: { 'reaction.yml': 'x', 'action.yml.md': 'x', 'x.gitmodules': 'x' } },
    ],
  ])('decideByPaths skips the scan of %s', async (_what, head) => {
    expect((await decide({}, head)).decision.kind).toBe('unscanned');
  });

  test.each<[string, Asked]>([
    ['a push', { event: 'push' }],
    ['a schedule', { event: 'schedule' }],
    ['a dispatch', { event: 'workflow_dispatch' }],
    ['a change without patterns in `paths-unscanned`', { patterns: '' }],
    ['a change without a base', { baseSha: undefined }],
    ['a head that equals the base', { headSha: SHA.base }],
  ])('decideByPaths requires a scan and sends no request: %s', async (_what, asked) => {
    expect(await decide(before, doc, asked)).toEqual({
      decision: { kind: 'scanned', why: undefined, warnings: [] },
      requests: 0,
    });
  });

  test('decideByPaths requires a scan if head and base are different commits with the same files', async () => {
    expect((await decide(before, before)).decision).toEqual({
      kind: 'scanned',
      why: undefined,
      warnings: [],
    });
  });

  test.each([
    ['forbidden', 'GitHub denied access'],
    ['not-found', '404'],
    ['unreachable', 'could not be reached'],
    ['rate-limited', 'rate limit'],
    ['invalid', 'not what'],
    ['stopped', 'stopped'],
  ] as const)('decideByPaths requires a scan if the list of files cannot be read: %s', async (kind, said) => {
    for (const request of [1, 2, 3, 4]) {
      const { decision } = await decide(before, doc, { fail: [request, kind] });
      expect(decision).toEqual({
        kind: 'scanned',
        why: '`paths-unscanned` does not apply: the changed files could not be read.',
        warnings: [
          expect.stringMatching(
            /^Could not read which files changed, so `paths-unscanned` does not apply\. /,
          ),
        ],
      });
      if (decision.kind === 'scanned') expect(decision.warnings[0]).toContain(said);
    }
  });

  test('decideByPaths requires a scan if reading the folders takes too long', async () => {
    const clock = new DeadlineClock();
    const ended = decideByPaths(
      {
        github: githubClient(
          ({ operation, permission }, signal) =>
            new Promise((resolve) => {
              const error = {
                kind: 'stopped',
                operation,
                permission,
                status: undefined,
                message: '',
                ambiguous: true,
              } as const;
              signal.addEventListener('abort', () => resolve({ ok: false, error }));
            }),
        ),
        clock,
        signal: NEVER_ABORTED,
      },
      TARGET,
      { baseSha: SHA.base, headSha: SHA.head, how: 'compare' },
      { pathsUnscanned: readPathPatterns(PATTERNS).patterns, guidanceFile: undefined },
    );
    clock.expireSoon();
    expect((await ended).kind).toBe('scanned');
  });
});

test('decideByPaths clears its timer', async () => {
  let running = 0;
  class CountingClock extends FakeClock {
    override timeout() {
      running += 1;
      return {
        signal: NEVER_ABORTED,
        clear: () => {
          running -= 1;
        },
      };
    }
  }
  const files = filesOnGitHub({ [SHA.base]: before, [SHA.head]: doc });
  await decideByPaths(
    { github: files.github, clock: new CountingClock(), signal: NEVER_ABORTED },
    TARGET,
    { baseSha: SHA.base, headSha: SHA.head, how: 'compare' },
    { pathsUnscanned: readPathPatterns(PATTERNS).patterns, guidanceFile: undefined },
  );
  expect([files.asked.length, running]).toEqual([4, 0]);
});

describe('a large change', () => {
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.md`, 'x']));
  const folders = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { 'a.md': `${n}` }]));

  test(`decideByPaths skips the scan if at most ${MOST_FILES} files changed`, async () => {
    expect((await decide({}, files(MOST_FILES))).decision.kind).toBe('unscanned');
    expect((await decide({}, files(MOST_FILES + 1))).decision).toEqual({
      kind: 'scanned',
      why: '`paths-unscanned` does not apply: more than 300 files or 30 folders changed.',
      warnings: [],
    });
  });

  test('decideByPaths counts deleted files towards its limit of files', async () => {
    expect((await decide(files(MOST_FILES + 1), {})).decision.kind).toBe('scanned');
  });

  test(`decideByPaths skips the scan if at most ${MOST_FOLDERS} folders changed, including the root`, async () => {
    expect((await decide({}, folders(MOST_FOLDERS - 1))).decision.kind).toBe('unscanned');
    const more = await decide({}, folders(MOST_FOLDERS));
    expect(more.decision.kind).toBe('scanned');
    // The base has none of the new folders, so only the new folders of the head are read.
    expect(more.requests).toBe(2 + MOST_FOLDERS - 1);
  });

  test('decideByPaths reads no further folder after the first file that has to be scanned', async () => {
    expect((await decide(before, { ...doc, 'b.js': 'x' })).requests).toBe(2);
  });
});

describe('the base branch has new commits', () => {
  async function decideOnto(tip: Folder | undefined, fail?: number) {
    const tips = tip === undefined ? {} : { [SHA.other]: tip };
    const files = filesOnGitHub({ [SHA.base]: before, [SHA.head]: doc, ...tips });
    if (fail !== undefined) files.fail(fail, { kind: 'forbidden' });
    const decision = await decideByPaths(
      { github: files.github, clock: new FakeClock(), signal: NEVER_ABORTED },
      { ...TARGET, base: { ...TARGET.base, tip: tip && SHA.other } },
      { baseSha: SHA.base, headSha: SHA.head, how: 'compare' },
      { pathsUnscanned: readPathPatterns(PATTERNS).patterns, guidanceFile: undefined },
    );
    return { decision, requests: files.asked.length };
  }
  const scanned = (why: string, warnings: readonly unknown[] = []) => ({
    kind: 'scanned',
    why: `\`paths-unscanned\` does not apply: ${why}.`,
    warnings,
  });

  test('decideByPaths requires a scan if there may be another merge base', async () => {
    const { decision, requests } = await decideOnto({ ...before, src: { 'a.js': 'two' } });
    expect(decision).toEqual(scanned('the change may have several merge bases'));
    // Four requests read folders of base and head. One request reads the root folder of the tip, and one request looks
    // for other merge bases.
    expect(requests).toBe(4 + 1 + 1);
  });

  test('decideByPaths requires a scan if the base branch renamed a changed file', async () => {
    const tip = { ...before, docs: { img: { 'a.png': 'x' } }, src: { ...code, 'tool.js': 'one' } };
    expect((await decideOnto(tip)).decision).toEqual(scanned('`docs/a.md` has changed on the base branch'));
  });

  test('decideByPaths requires a scan if the files of the base branch cannot be read', async () => {
    const cause = expect.stringMatching(
      /^Could not read which files changed, so .* GitHub denied access \(Resource not accessible by integration\)\.$/,
    );
    // The third request reads the root folder of the tip.
    expect((await decideOnto(before, 3)).decision).toEqual(
      scanned('the files of the base branch could not be read', [cause]),
    );
  });

  test('decideByPaths requires a scan if the newest commit of the base branch is not known', async () => {
    expect((await decideOnto(undefined)).decision).toEqual(
      scanned('the newest commit of the base branch is not known'),
    );
  });
});
