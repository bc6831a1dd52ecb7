// Builds what the runner runs: one static file an entry, and the licences of what is in them. Not minified, so
// that it can be read; what nothing uses is left out.
// Usage: npm run build [-- FOLDER]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { licensesOf } from './licenses.ts';

const root = path.dirname(import.meta.dirname);
const out = path.resolve(root, process.argv[2] ?? 'dist');

async function bundle(entry: string): Promise<{ code: string; moduleIds: readonly string[] }> {
  const build = await rolldown({
    cwd: root,
    input: entry,
    platform: 'node',
    // The toolkit does nothing at import, but does not say so; else its HTTP client would be loaded at every start.
    treeshake: { moduleSideEffects: [{ test: /\/node_modules\/@actions\//, sideEffects: false }] },
  });
  const { output } = await build.generate({ format: 'esm', minify: false });
  await build.close();
  if (output.length > 1) throw new Error(`${entry} became ${output.length} files; an entry is one file`);
  return output[0];
}

const main = await bundle('src/main.ts');
const post = await bundle('src/post.ts');
const files = {
  'index.js': main.code,
  'post/index.js': post.code,
  'licenses.txt': licensesOf([...main.moduleIds, ...post.moduleIds]),
  'package.json': `${JSON.stringify({ type: 'module' })}\n`,
};
// Only now, so that a build that fails leaves the last one where it is.
rmSync(out, { recursive: true, force: true });
for (const [name, text] of Object.entries(files)) {
  const file = path.join(out, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
