import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyRepository } from '../../sandbox/empty-repository.ts';
import { git } from '../../sandbox/git-process.ts';

/** Every folder and file, with its content. */
async function contentOf(gitDir: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const entry of await readdir(gitDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    content[path.slice(gitDir.length)] = entry.isFile() ? await readFile(path, 'utf8') : 'folder';
  }
  return content;
}

test.each([
  { bare: true, objectFormat: 'sha256' },
  { bare: false, objectFormat: 'sha1' },
])(
  'createEmptyRepository makes the same repository as git (object format: $objectFormat, bare: $bare)',
  async ({ bare, objectFormat }) => {
    const root = await mkdtemp(join(tmpdir(), 'scangate-empty-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const layout = bare ? ['--bare'] : [];
    const options = ['--template=', '--initial-branch=trunk', `--object-format=${objectFormat}`, ...layout];
    await git(root, ['init', '--quiet', ...options, 'by-git']);
    const own = join(root, 'own');
    await createEmptyRepository(own, { bare, objectFormat, branch: 'trunk' });
    expect(await contentOf(own)).toEqual(await contentOf(join(root, bare ? 'by-git' : 'by-git/.git')));
  },
);
