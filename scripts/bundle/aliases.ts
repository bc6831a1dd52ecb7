import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/**
 * The key is a module that GitHub's toolkit imports, but our code does not need. The value is the file that is bundled
 * in its place. Either nothing calls the module, or Node.js does the same work.
 */
const STUBS: Readonly<Record<string, string>> = {
  '@actions/http-client': 'http-client',
  '@actions/http-client/lib/auth': 'http-client-auth',
  '@octokit/plugin-paginate-rest': 'paginate-rest',
  '@octokit/plugin-rest-endpoint-methods': 'rest-endpoint-methods',
  'content-type': 'content-type',
  'json-with-bigint': 'json-with-bigint',
  undici: 'undici',
};

/** The key is a module that is not bundled. The value is the file that replaces it. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Returns the aliases, which lead to the stubs in the sources. The stubs are not copied, because ncc numbers modules by
 * their paths.
 * @param root of the repository
 */
export function aliasesOf(root: string): Aliases {
  const folder = path.join(root, 'scripts/bundle/stubs');
  return Object.fromEntries(
    Object.entries(STUBS).map(([name, stub]) => [name, path.join(folder, `${stub}.js`)]),
  );
}

/**
 * Makes a rolldown plugin that replaces modules by their stubs. It fails if code loads a stub by `require`. It also
 * fails if code imports a file inside a replaced package, and this file has no stub.
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
 * Rejects if code imports a name that the stub does not have. ncc only warns of that, and the bundle would fail when it
 * runs.
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
