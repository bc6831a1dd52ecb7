import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { git } from './git-process.ts';

export interface EmptyRepository {
  /** Default: `main`. */
  readonly branch?: string;
  readonly bare: boolean;
  readonly objectFormat: string;
}

/** Makes an empty repository in `gitDir`, like `git init`. Runs git only once for each kind of repository. */
export async function createEmptyRepository(gitDir: string, kind: EmptyRepository): Promise<void> {
  const { folders, files } = await templateOf(kind);
  for (const folder of folders) await mkdir(join(gitDir, folder), { recursive: true });
  for (const [file, content] of files) await writeFile(join(gitDir, file), content);
  await writeFile(join(gitDir, 'HEAD'), `ref: refs/heads/${kind.branch ?? 'main'}\n`);
}

const templates = new Map<string, ReturnType<typeof makeTemplate>>();

/** Returns the folders and the files that `git init` creates. Their paths are relative to the git directory. */
function templateOf({ bare, objectFormat }: EmptyRepository) {
  const key = JSON.stringify([bare, objectFormat]);
  const template = templates.get(key) ?? makeTemplate(bare, objectFormat);
  templates.set(key, template);
  // A failure may be temporary, so it is not cached.
  template.catch(() => templates.delete(key));
  return template;
}

async function makeTemplate(bare: boolean, objectFormat: string) {
  const made = await mkdtemp(join(tmpdir(), 'scangate-template-'));
  try {
    const layout = bare ? ['--bare'] : [];
    // The empty `--template` leaves out the sample hooks, because nothing runs them.
    await git(made, ['init', '--quiet', '--template=', `--object-format=${objectFormat}`, ...layout]);
    const gitDir = bare ? made : join(made, '.git');
    const folders = [''];
    const files = new Map<string, Buffer>();
    for (const entry of await readdir(gitDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) folders.push(relative(gitDir, path));
      else files.set(relative(gitDir, path), await readFile(path));
    }
    return { folders, files };
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
