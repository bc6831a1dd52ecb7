import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyRepository } from './empty-repository.ts';
import { git } from './git-process.ts';

/** One commit of a repository to create. */
export interface FixtureCommit {
  /** The name by which branches and other commits refer to this commit. */
  readonly name: string;
  /**
   * The names of the parents. Each parent comes before this commit in the list. Default: only the previous commit. An
   * empty list makes a root commit.
   */
  readonly parents?: readonly string[];
  /** The files that differ from the first parent. The key is a path with `/`; null deletes the file. */
  readonly files?: Readonly<Record<string, FileContent>>;
  readonly message?: string;
}

/** A symbolic link, a submodule or an executable file. */
export type SpecialFile =
  | { readonly symlinkTo: string }
  /** A submodule at this full commit id. */
  | { readonly submodule: string }
  | { readonly executable: string };

type FileContent = string | Uint8Array | SpecialFile | null;

/** A repository to create. The same description always gives the same commit ids. */
export interface FixtureDescription {
  readonly commits: readonly FixtureCommit[];
  /**
   * The key is the branch, and the value is the name of its commit. The first branch is the default branch. If omitted,
   * the only branch is `main`. It points to the last commit.
   */
  readonly branches?: Readonly<Record<string, string>>;
  /** More refs, such as `refs/pull/1/head`. The value is the name of the commit. */
  readonly refs?: Readonly<Record<string, string>>;
  /** True for a repository without a work tree. Default: false. */
  readonly bare?: boolean;
  readonly objectFormat?: 'sha1' | 'sha256';
}

export type GitFixture = Awaited<ReturnType<typeof createGitFixture>>;

/** The time of the first commit. Each further commit is one minute later. */
const FIRST_COMMIT_SECONDS = Date.UTC(2024, 0, 1) / 1000;

/** Makes a temporary git repository from a description. */
export async function createGitFixture(description: FixtureDescription) {
  const dir = await mkdtemp(join(tmpdir(), 'scangate-fixture-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  try {
    const ids = await build(dir, description);
    return {
      /** The folder for `git -C`: the work tree, or the bare repository. */
      dir,
      /** Returns the id of a commit by its name in the description. Throws if the name is unknown. */
      id: (name: string) => found(ids, name),
      /** Returns the name of the commit whose id begins with this. Undefined if there is none. */
      nameOf: (id: string) => [...ids].find(([, full]) => full.startsWith(id))?.[0],
      /** Runs git in the repository. Returns its output without white space at the ends. Throws if git fails. */
      git: async (...args: string[]) => (await git(dir, args)).toString('utf8').trim(),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function build(dir: string, description: FixtureDescription): Promise<ReadonlyMap<string, string>> {
  const last = description.commits.at(-1)?.name;
  const branches = description.branches ?? (last === undefined ? {} : { main: last });
  const head = Object.keys(branches)[0] ?? 'main';
  const bare = description.bare === true;
  const objectFormat = description.objectFormat ?? 'sha1';
  const gitDir = bare ? dir : join(dir, '.git');
  await createEmptyRepository(gitDir, { branch: head, bare, objectFormat });
  const marksFile = join(gitDir, 'fixture-marks');
  await git(dir, ['fast-import', '--quiet', `--export-marks=${marksFile}`], {
    input: importStream(description, branches),
  });
  const ids = readMarks(await readFile(marksFile, 'utf8'), description.commits);
  await rm(marksFile);
  if (!bare && last !== undefined) await git(dir, ['reset', '--quiet', '--hard', head]);
  return ids;
}

const SCRATCH_REF = 'refs/fixture/scratch';

function importStream(description: FixtureDescription, branches: Readonly<Record<string, string>>): Buffer {
  const marks = new Map<string, string>();
  const chunks: (string | Uint8Array)[] = [];
  description.commits.forEach((commit, index) => {
    if (marks.has(commit.name)) throw new Error(`two commits of the fixture are called ${commit.name}`);
    const before = description.commits[index - 1]?.name;
    const parents = (commit.parents ?? (before === undefined ? [] : [before])).map((name) =>
      found(marks, name),
    );
    const mark = `:${index + 1}`;
    const who = `Fixture <fixture@example.invalid> ${FIRST_COMMIT_SECONDS + index * 60} +0000`;
    // After this reset, the commit has no parent. Otherwise the previous commit would be its parent.
    if (parents.length === 0) chunks.push(`reset ${SCRATCH_REF}\n`);
    chunks.push(`commit ${SCRATCH_REF}\nmark ${mark}\nauthor ${who}\ncommitter ${who}\n`);
    chunks.push(...data(commit.message ?? commit.name));
    parents.forEach((parent, order) => {
      chunks.push(`${order === 0 ? 'from' : 'merge'} ${parent}\n`);
    });
    for (const [path, content] of Object.entries(commit.files ?? {})) {
      chunks.push(...fileChange(quotePath(path), content));
    }
    marks.set(commit.name, mark);
  });
  const heads = Object.entries(branches).map(([branch, name]) => [`refs/heads/${branch}`, name] as const);
  for (const [ref, name] of [...heads, ...Object.entries(description.refs ?? {})]) {
    chunks.push(`reset ${ref}\nfrom ${found(marks, name)}\n\n`);
  }
  // The null id deletes a ref.
  const nullId = '0'.repeat(description.objectFormat === 'sha256' ? 64 : 40);
  if (marks.size > 0) chunks.push(`reset ${SCRATCH_REF}\nfrom ${nullId}\n\n`);
  return Buffer.concat(chunks.map((part) => Buffer.from(part)));
}

function fileChange(path: string, content: FileContent): (string | Uint8Array)[] {
  if (content === null) return [`D ${path}\n`];
  if (typeof content === 'string' || content instanceof Uint8Array) {
    return [`M 100644 inline ${path}\n`, ...data(content)];
  }
  if ('submodule' in content) return [`M 160000 ${content.submodule} ${path}\n`];
  return 'symlinkTo' in content
    ? [`M 120000 inline ${path}\n`, ...data(content.symlinkTo)]
    : [`M 100755 inline ${path}\n`, ...data(content.executable)];
}

function data(content: string | Uint8Array): (string | Uint8Array)[] {
  const bytes = Buffer.from(content);
  return [`data ${bytes.length}\n`, bytes, '\n'];
}

function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function readMarks(text: string, commits: readonly FixtureCommit[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [mark, id] = line.split(' ');
    const commit = commits[Number(mark?.slice(1)) - 1];
    if (commit !== undefined && id !== undefined) ids.set(commit.name, id);
  }
  return ids;
}

function found(names: ReadonlyMap<string, string>, name: string): string {
  const value = names.get(name);
  if (value === undefined) throw new Error(`the fixture has no commit called ${name}`);
  return value;
}
