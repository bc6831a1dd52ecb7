import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folders of one run of the action. */
export interface RunFolders {
  readonly temp: string;
  readonly workspace: string;
}

/**
 * The roots of empty folders that the next runs can use. Most runs leave their folders empty. The roots are removed
 * with the temporary folder.
 */
const unused: string[] = [];

/** Calls `work` with empty folders of its own. Afterwards, the folders are removed, or the next runs use them. */
export async function withRunFolders<T>(work: (folders: RunFolders) => Promise<T>): Promise<T> {
  const { giveBack, ...folders } = takeRunFolders();
  try {
    return await work(folders);
  } finally {
    giveBack();
  }
}

/** Returns empty folders for one run. `giveBack` removes them, or keeps them for the next runs. */
export function takeRunFolders(): RunFolders & { readonly giveBack: () => void } {
  const root = unused.pop() ?? makeRoot();
  const folders = foldersIn(root);
  const giveBack = () => {
    if (Object.values(folders).every((folder) => readdirSync(folder).length === 0)) unused.push(root);
    else rmSync(root, { recursive: true, force: true });
  };
  return { ...folders, giveBack };
}

function makeRoot(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'scangate-run-'));
  for (const folder of Object.values(foldersIn(root))) mkdirSync(folder);
  return root;
}

function foldersIn(root: string): RunFolders {
  return { temp: path.join(root, 'temp'), workspace: path.join(root, 'work') };
}
