import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeInside, writeInside } from '../../../src/deliver/place.ts';

let root: string;
let workspace: string;
let outside: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'scangate-write-inside-'));
  workspace = path.join(root, 'work');
  outside = path.join(root, 'outside');
  await Promise.all([mkdir(workspace), mkdir(outside)]);
});

afterEach(() => rm(root, { recursive: true, force: true }));

const inside = (...steps: string[]) => path.join(workspace, ...steps);
const isThere = (file: string) =>
  lstat(file).then(
    () => true,
    () => false,
  );

test('a workspace file is written, and missing folders are created', async () => {
  await writeInside(workspace, inside('reports', 'deep', 'report.json'), '{}');
  expect(await readFile(inside('reports', 'deep', 'report.json'), 'utf8')).toBe('{}');
});

test.each([
  ['no pieces, so nothing of the earlier content is left', []],
  ['many small pieces', Array.from({ length: 20_000 }, (_, index) => `${index},`)],
  ['large pieces among small ones', ['a', 'b'.repeat(200_000), 'c', 'd'.repeat(65_536), '', 'e']],
])('the pieces of a workspace file are written in order (%s)', async (_, pieces) => {
  await writeFile(inside('report.json'), 'what stood there');
  await writeInside(workspace, inside('report.json'), pieces);
  expect(await readFile(inside('report.json'), 'utf8')).toBe(pieces.join(''));
});

test('a workspace file is not written to a symbolic link, even on a system without O_NOFOLLOW', async () => {
  await writeFile(path.join(outside, 'authorized_keys'), 'mine');
  await symlink(path.join(outside, 'authorized_keys'), inside('report.json'));
  // This message comes from the check in `writeInside`. On Windows, only this check protects the file.
  await expect(writeInside(workspace, inside('report.json'), 'theirs')).rejects.toThrow(
    'the file is a symbolic link',
  );
  expect(await readFile(path.join(outside, 'authorized_keys'), 'utf8')).toBe('mine');
});

test('a missing file is not created through a link', async () => {
  await symlink(path.join(outside, 'new'), inside('report.json'));
  await expect(writeInside(workspace, inside('report.json'), 'theirs')).rejects.toThrow();
  expect(await isThere(path.join(outside, 'new'))).toBe(false);
});

test('nothing is written through a link to a folder outside the workspace', async () => {
  await symlink(outside, inside('reports'));
  await expect(writeInside(workspace, inside('reports', 'deep', 'report.json'), '{}')).rejects.toThrow(
    'leads out of the workspace',
  );
  expect(await isThere(path.join(outside, 'deep'))).toBe(false);
});

test('a folder beside the workspace counts as outside even if its name starts with the workspace name', async () => {
  await mkdir(path.join(root, 'work-other'));
  await symlink(path.join(root, 'work-other'), inside('reports'));
  await expect(writeInside(workspace, inside('reports', 'report.json'), '{}')).rejects.toThrow();
});

test('a workspace file can be written through links that lead into the workspace', async () => {
  await mkdir(inside('real'));
  await symlink(inside('real'), inside('reports'));
  await symlink(workspace, path.join(root, 'link'));
  await writeInside(path.join(root, 'link'), path.join(root, 'link', 'reports', 'report.json'), '{}');
  expect(await readFile(inside('real', 'report.json'), 'utf8')).toBe('{}');
});

test('a workspace file cannot be written if its folder is a file', async () => {
  await writeFile(inside('reports'), '');
  await expect(writeInside(workspace, inside('reports', 'report.json'), '{}')).rejects.toThrow();
});

test('a workspace file is removed, also through links that lead into the workspace', async () => {
  await mkdir(inside('real'));
  await symlink(inside('real'), inside('reports'));
  await symlink(workspace, path.join(root, 'link'));
  for (const file of [inside('scan.sarif'), inside('real', 'scan.sarif')]) await writeFile(file, '{}');
  await removeInside(workspace, inside('scan.sarif'));
  await removeInside(path.join(root, 'link'), path.join(root, 'link', 'reports', 'scan.sarif'));
  expect([await isThere(inside('scan.sarif')), await isThere(inside('real', 'scan.sarif'))]).toEqual([
    false,
    false,
  ]);
});

test.each([
  ['the file', ['scan.sarif']],
  ['its folder', ['none', 'deep', 'scan.sarif']],
  ['its folder, which is a file,', ['a file', 'scan.sarif']],
  ['the target of its folder', ['dangling', 'scan.sarif']],
])('nothing is removed, and nothing is wrong, if %s does not exist', async (_what, steps) => {
  await writeFile(inside('a file'), 'kept');
  await symlink(path.join(outside, 'none'), inside('dangling'));
  await removeInside(workspace, inside(...steps));
  expect(await readFile(inside('a file'), 'utf8')).toBe('kept');
});

test('a link is removed itself, also if its target does not exist', async () => {
  await writeFile(path.join(outside, 'theirs'), 'kept');
  await symlink(path.join(outside, 'theirs'), inside('scan.sarif'));
  await symlink(path.join(outside, 'none'), inside('dangling.sarif'));
  await removeInside(workspace, inside('scan.sarif'));
  await removeInside(workspace, inside('dangling.sarif'));
  expect([await isThere(inside('scan.sarif')), await isThere(inside('dangling.sarif'))]).toEqual([
    false,
    false,
  ]);
  expect(await readFile(path.join(outside, 'theirs'), 'utf8')).toBe('kept');
});

test('nothing is removed through a link to a folder outside the workspace', async () => {
  await writeFile(path.join(outside, 'scan.sarif'), 'kept');
  await symlink(outside, inside('reports'));
  await expect(removeInside(workspace, inside('reports', 'scan.sarif'))).rejects.toThrow(
    'leads out of the workspace',
  );
  expect(await readFile(path.join(outside, 'scan.sarif'), 'utf8')).toBe('kept');
});

test('a folder is not removed', async () => {
  await mkdir(inside('scan.sarif'));
  await expect(removeInside(workspace, inside('scan.sarif'))).rejects.toThrow();
  expect(await isThere(inside('scan.sarif'))).toBe(true);
});
