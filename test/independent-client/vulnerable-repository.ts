import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** This many findings fill more than two pages of the default size, or more than one page of the largest size. */
const MANY = 110;

const vulnerability = (name: string, field: string): string =>
  `export function ${name}(req) { exec('ls ' + req.query.${field}); }\n`;
const file = (...vulnerabilities: readonly string[]): string =>
  `import { exec } from 'node:child_process';\n\n${vulnerabilities.join('\n')}`;

const ON_MAIN: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n',
  'lib/export.js': file(...Array.from({ length: MANY }, (_, n) => vulnerability(`export${n}`, `folder${n}`))),
  'src/cart/price.js': 'export const price = (goods) => goods.length;\n',
};
/** What the change adds: exactly two vulnerabilities. */
const ON_BRANCH: Readonly<Record<string, string>> = {
  'src/cart/checkout.js': file(vulnerability('receipt', 'receipt'), vulnerability('invoice', 'invoice')),
};

export type VulnerableRepository = {
  readonly folder: string;
  /** The tip of the default branch, which the change starts from. */
  readonly base: string;
  /** The head of the change. It has two more vulnerabilities than the base. */
  readonly head: string;
  /** A commit after the head, with the same files. */
  readonly afterHead: string;
  /** The id of the tree of the base, which is no commit. */
  readonly tree: string;
  remove(): void;
};

/** Makes a small shop in a temporary folder, with a branch `discount` that adds two vulnerabilities to `main`. */
export function makeRepository(): VulnerableRepository {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-shop-'));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Shop', '-c', 'user.email=shop@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    }).trim();
  const commit = (files: Readonly<Record<string, string>>, message: string): string => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  const base = commit(ON_MAIN, 'Open the shop');
  git('switch', '--quiet', '--create', 'discount');
  const head = commit(ON_BRANCH, 'Check out');
  const afterHead = commit({}, 'Nothing');
  git('switch', '--quiet', 'main');
  const tree = git('rev-parse', `${base}^{tree}`);
  return {
    folder,
    base,
    head,
    afterHead,
    tree,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
