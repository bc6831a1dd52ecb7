import { describe, expect, test } from 'vitest';
import { guidanceCommit, readGuidanceFile, withStoredGuidance } from '../../../src/change/guidance-file.ts';
import { Stop } from '../../../src/domain/result.ts';
import type { DiffBase, TargetBase } from '../../../src/domain/target.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { type Folder, filesOnGitHub } from './repository-files.ts';

const PATH = '.github/guidance.md';
const at = (file: Folder[string] | undefined, others: Folder = {}): Folder => ({
  'README.md': 'hello',
  '.github': file === undefined ? { 'other.md': 'x' } : { 'guidance.md': file },
  ...others,
});

function read(folder: Folder, path = PATH) {
  const files = filesOnGitHub({ [SHA.base]: folder });
  return { files, found: readGuidanceFile({ github: files.github, signal: NEVER_ABORTED }, path, SHA.base) };
}

const KINDS = [
  ['forbidden', 'configuration', 'Add `contents: read`'],
  ['not-found', 'configuration', 'Add `contents: read`'],
  ['unauthorized', 'configuration', 'Check `github-token`'],
  ['unreachable', 'service-error', 'Re-run this job'],
  ['rate-limited', 'service-error', 'Re-run this job later'],
  ['invalid', 'service-error', 'Check GITHUB_API_URL'],
  ['refused', 'service-error', 'open an issue'],
  ['stopped', 'scan-cancelled', 'Re-run this job'],
] as const;

describe('guidanceCommit', () => {
  const computed: DiffBase = { baseSha: 'computed', headSha: SHA.head, how: 'compare' };
  const given: DiffBase = { ...computed, baseSha: 'given', how: 'input' };
  const branch: TargetBase = { kind: 'branch', name: 'main', tip: 'tip' };
  const group: TargetBase = { kind: 'merge-group', sha: 'below', branch: 'main' };
  const pushed: TargetBase = { kind: 'push', branch: 'main', before: 'before', defaultBranch: 'main' };
  test.each([
    ['the tip', 'a branch', branch, computed, 'tip'],
    ['the tip', 'a branch and a given base', branch, given, 'tip'],
    ['no commit', 'a branch with an unknown tip', { ...branch, tip: undefined }, computed, undefined],
    ['the merge base', 'a merge group', group, computed, 'computed'],
    // The result is never the commit that the group is built on, because that commit may belong to the measured change.
    ['the given base', 'a merge group and a given base', group, given, 'given'],
    ['no commit', 'a merge group without a merge base', group, undefined, undefined],
    ['the merge base', 'a push', pushed, computed, 'computed'],
    ['the given base', 'a push and a given base', pushed, given, 'given'],
    ['no commit', 'a push without a merge base', pushed, undefined, undefined],
    ['the head', 'a full scan', { kind: 'none' }, undefined, SHA.head],
  ] satisfies [string, string, TargetBase, DiffBase | undefined, string | undefined][])(
    'guidanceCommit returns %s for %s',
    (_commit, _what, base, diffBase, commit) => {
      expect(guidanceCommit({ base, headSha: SHA.head }, diffBase)).toBe(commit);
    },
  );
});

describe('readGuidanceFile', () => {
  test('readGuidanceFile returns the text with its length and hash', async () => {
    const { files, found } = read(at('\uFEFFMind the é😀.\n'));
    expect(await found).toMatchObject({
      ok: true,
      value: {
        path: PATH,
        commitSha: SHA.base,
        text: 'Mind the é😀.\n',
        characters: 13,
        hash: 'c3c615cd6fcdbef046cbeddc9ecf806d1fe006bb6e44754ffbab0bd79d072e62',
      },
    });
    expect(files.asked).toHaveLength(3);
  });

  test('readGuidanceFile accepts a file in the root folder', async () => {
    expect(await read({ 'g.md': 'Mind.' }, 'g.md').found).toMatchObject({ value: { text: 'Mind.' } });
  });

  test.each([
    ['absent', at(undefined), 'There is no file', 'merge it into the base branch first'],
    ['in a folder that does not exist', { 'README.md': 'x' }, 'There is no file', 'Check the path'],
    ['below a file', { '.github': 'x' }, 'There is no file', 'Check the path'],
    ['below a symlink', { '.github': { mode: '120000' } }, 'There is no file', 'Check the path'],
    ['below a submodule', { '.github': { mode: '160000' } }, 'There is no file', 'Check the path'],
    ['a symlink', at({ mode: '120000' }), 'is a symlink, not a file', 'Put a regular file there'],
    ['a submodule', at({ mode: '160000' }), 'is a submodule, not a file', 'Put a regular file there'],
    ['a folder', at({ x: 'y' }), 'is a folder, not a file', 'Put a regular file there'],
    ['of an unknown mode', at({ mode: '100600' }), 'is not a regular file', 'Put a regular file there'],
    ['not UTF-8', at(Buffer.from([0x66, 0xe9, 0x0a])), 'is not UTF-8 text', 'Save it as UTF-8'],
    [
      'little-endian UTF-16 without a byte order mark',
      at(Buffer.from('Mind the gap.\n', 'utf16le')),
      'is not UTF-8 text',
      'Save it as UTF-8',
    ],
    [
      'big-endian UTF-16 without a byte order mark',
      at(Buffer.from('Mind the gap.\n', 'utf16le').swap16()),
      'is not UTF-8 text',
      'Save it as UTF-8',
    ],
    ['text with a NUL character', at('Mind\0.\n'), 'is not UTF-8 text', 'Save it as UTF-8'],
    ['empty', at(' \n'), 'is empty', 'Write the guidance into it'],
    ['too long', at('é'.repeat(100_001)), 'is longer than 100000 characters', 'Shorten the file'],
    [
      'longer than any valid file',
      at('x'.repeat(400_001)),
      'is longer than 100000 characters',
      'Shorten the file',
    ],
  ])(
    'readGuidanceFile reports a wrong setup if the guidance file is %s',
    async (_what, folder, cause, nextStep) => {
      const failure = await read(folder).found;
      expect(failure).toMatchObject({
        error: {
          reason: 'configuration',
          cause: expect.stringContaining(cause),
          nextStep: expect.stringContaining(nextStep),
        },
      });
      if (!failure.ok) {
        expect(failure.error.cause).toContain('`.github/guidance.md` at commit `bbbbbbb` of the base side');
        expect(failure.error.nextStep).toMatch(/\.$/);
      }
    },
  );

  test('readGuidanceFile accepts a file of exactly the maximum length', async () => {
    const text = '😀'.repeat(100_000);
    expect(await read(at(text)).found).toMatchObject({ value: { characters: 100_000 } });
  });

  test('readGuidanceFile does not download a file that is far too long', async () => {
    const { files, found } = read(at('x'.repeat(400_001)));
    await found;
    expect(files.asked).toHaveLength(2);
  });

  test('readGuidanceFile sends no request if the commit is not known', async () => {
    const { github, asked } = filesOnGitHub({});
    expect(await readGuidanceFile({ github, signal: NEVER_ABORTED }, PATH, undefined)).toMatchObject({
      error: {
        reason: 'service-error',
        cause: expect.stringContaining('newest commit of the base branch'),
        nextStep: expect.stringMatching(/^Re-run this job\. .*`contents: read`/),
      },
    });
    expect(asked).toEqual([]);
  });

  test.each([1, 2, 3].flatMap((at) => KINDS.map((row) => [at, ...row] as const)))(
    'readGuidanceFile fails if request %i ends with the error %s',
    async (request, kind, reason, nextStep) => {
      const files = filesOnGitHub({ [SHA.base]: at('Mind.') });
      files.fail(request, { kind });
      const deps = { github: files.github, signal: NEVER_ABORTED };
      expect(await readGuidanceFile(deps, PATH, SHA.base)).toMatchObject({
        error: { reason, nextStep: expect.stringContaining(nextStep) },
      });
      expect(files.asked).toHaveLength(request);
    },
  );

  test('readGuidanceFile names the file and the cause if the read fails', async () => {
    const { github, fail } = filesOnGitHub({ [SHA.base]: at('Mind.') });
    fail(1, { kind: 'forbidden' });
    expect(await readGuidanceFile({ github, signal: NEVER_ABORTED }, PATH, SHA.base)).toMatchObject({
      error: {
        cause:
          'Could not read the guidance file `.github/guidance.md` at commit `bbbbbbb` of the base side. Could not read a folder of the repository: GitHub denied access (Resource not accessible by integration).',
      },
    });
  });

  test.each([
    ['a timeout', AbortSignal.abort(new Stop('timeout')), 'timeout', 'Scangate reached its time limit'],
    ['a signal', AbortSignal.abort(new Stop('signal')), 'scan-cancelled', 'The job was cancelled'],
    ['an unknown cause', NEVER_ABORTED, 'scan-cancelled', 'The job was cancelled'],
  ])('readGuidanceFile reports that the run was stopped by %s', async (_what, signal, reason, cause) => {
    const { github, fail } = filesOnGitHub({ [SHA.base]: at('Mind.') });
    fail(1, { kind: 'stopped' });
    const read = await readGuidanceFile({ github, signal }, PATH, SHA.base);
    expect(read).toMatchObject({ error: { reason, cause: expect.stringContaining(cause) } });
    if (!read.ok) expect(read.error.cause).toMatch(/before it read the guidance file\.$/);
  });

  test('withStoredGuidance rejects two guidance texts that are too long together', () => {
    const composed = withStoredGuidance({ path: 'a.md', text: 'x'.repeat(60_000) }, 'y'.repeat(39_999));
    expect(composed).toMatchObject({
      ok: false,
      error: {
        reason: 'configuration',
        cause: 'The guidance file `a.md` with the stored guidance is longer than 100000 characters.',
      },
    });
    const shorter = withStoredGuidance({ path: 'a.md', text: 'x'.repeat(60_000) }, 'y'.repeat(39_998));
    expect(shorter.ok && shorter.value).toHaveLength(100_000);
  });
});
