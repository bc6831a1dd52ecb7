import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Modules of the toolkit of which nothing here calls anything, or whose work Node.js does, and what is bundled instead of each. */
const STUBS: Readonly<Record<string, string>> = {
  '@actions/http-client': 'http-client',
  '@actions/http-client/lib/auth': 'http-client-auth',
  '@octokit/plugin-rest-endpoint-methods': 'rest-endpoint-methods',
  'json-with-bigint': 'json-with-bigint',
  undici: 'undici',
};

/** Maps each module that is not bundled to the file that is bundled instead. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * The stubs are JavaScript, and are used in place. If they were copied to a folder with another name, ncc would number
 * the modules differently.
 * @param root of the repository
 */
export function aliasesOf(root: string): Aliases {
  const folder = path.join(root, 'scripts/bundle/stubs');
  return Object.fromEntries(
    Object.entries(STUBS).map(([name, stub]) => [name, path.join(folder, `${stub}.js`)]),
  );
}

/**
 * A rolldown plugin. Fails if an import cannot be checked against its stub: an import of another file of such a
 * package, or `require`.
 */
export function replaceAliased(aliases: Aliases): Plugin {
  const inside = Object.keys(aliases).map((name) => `${name}/`);
  return {
    name: 'replace-aliased',
    resolveId(source, importer, { kind }) {
      const stub = aliases[source];
      if (stub === undefined && !inside.some((prefix) => source.startsWith(prefix))) return null;
      if (stub === undefined) throw new Error(`${source} has no stub, but ${importer} imports it`);
      if (kind === 'require-call') throw new Error(`${importer} requires ${source}, which has only a stub`);
      return stub;
    },
  };
}

/**
 * Rejects if a stub lacks a name that is imported from the module that it replaces. ncc only warns of that, and the
 * bundle would fail while it runs.
 */
export async function checkAliases(entry: string, aliases: Aliases): Promise<void> {
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    plugins: [replaceAliased(aliases)],
    onLog(_level, { code, message }) {
      if (code === 'IMPORT_IS_UNDEFINED') throw new Error(message);
    },
  });
  try {
    await bundle.generate({ format: 'esm' });
  } finally {
    await bundle.close();
  }
}
