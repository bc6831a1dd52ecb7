import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { aliasesOf, replaceAliased } from '../../scripts/bundle/aliases.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (...names: string[]) => readFileSync(path.join(root, ...names), 'utf8');
const ENTRIES = [
  ['src/main.ts', 'dist'],
  ['src/post.ts', 'dist/post'],
  ['src/doctor.ts', 'dist/doctor'],
  ['src/triage.ts', 'dist/triage'],
] as const;

/**
 * The packages whose code an entry uses. A second bundler finds them, to check the bundler that writes the licences.
 */
async function packagesOf(entry: string): Promise<string[]> {
  const bundle = await rolldown({
    input: path.join(root, entry),
    platform: 'node',
    logLevel: 'silent',
    plugins: [replaceAliased(aliasesOf(root))],
  });
  try {
    const { output } = await bundle.generate({ format: 'esm' });
    const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.entries(chunk.modules) : []));
    const names = modules.flatMap(([id, { code }]) => {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
      return name === undefined || !code ? [] : [name];
    });
    return [...new Set(names)].sort();
  } finally {
    await bundle.close();
  }
}

/** Packages that are not bundled. Each row has the package, a text from its code, and the file with that text. */
const NOT_BUNDLED = [
  ['undici', 'llhttp', 'lib/dispatcher/client-h1.js'],
  ['@actions/http-client', '_processResponse', 'lib/index.js'],
  [
    '@octokit/plugin-rest-endpoint-methods',
    'getGithubActionsPermissionsOrganization',
    'dist-src/generated/endpoints.js',
  ],
  ['tunnel', 'TunnelingAgent', 'lib/tunnel.js'],
] as const;

const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();

test.each(ENTRIES)('the bundle of %s contains only ASCII', (_entry, folder) => {
  expect(read(folder, 'index.js')).not.toMatch(/[\u0080-\uffff]/);
});

test.each(ENTRIES)(
  'the bundle of %s contains the licence of every bundled package, word for word',
  async (entry) => {
    const names = await packagesOf(entry);
    expect(names).toContain('valibot');
    expect(names.length).toBeGreaterThan(10);
    const licences = read('dist/licenses.txt');
    const listed = new Set(licences.split('\n'));
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
    const all = squeezed(licences);
    const isShown = (name: string) => {
      const cwd = path.join(root, 'node_modules', name);
      const files = globSync('{LICENSE,LICENCE,license,licence}*', { cwd });
      const texts = files.map((file) => squeezed(read('node_modules', name, file)));
      return texts.length === 0 || texts.some((text) => all.includes(text));
    };
    expect(names.filter((name) => !isShown(name))).toEqual([]);
  },
);

test.each(NOT_BUNDLED)('no bundle contains code or the licence of %s', (name, mark, file) => {
  expect(read('node_modules', name, file)).toContain(mark);
  expect(ENTRIES.filter(([, folder]) => read(folder, 'index.js').includes(mark))).toEqual([]);
  expect(read('dist/licenses.txt').split('\n')).not.toContain(name);
});

test.each(ENTRIES)(
  'the bundle of %s neither loads code from an address nor runs text as code',
  (_entry, folder) => {
    const bundle = read(folder, 'index.js');
    expect(bundle).not.toMatch(/\bimport\s*\(\s*['"`]?(?:https?|data):/);
    expect(bundle).not.toMatch(/(?<![.\w])eval\(|new Function\(/);
  },
);

test('the package defines no script that npm runs during the installation', () => {
  const manifest: unknown = JSON.parse(read('package.json'));
  const scripts = Object.keys(Object(Reflect.get(Object(manifest), 'scripts')));
  expect(scripts.filter((name) => /^(?:pre|post)?(?:install|prepare|publish|pack)$/.test(name))).toEqual([]);
});
