// Builds what the runner runs: one static, readable bundle an entry, with the licences of what is in it.
//   tsc       types away (ncc cannot drive this TypeScript version itself)
//   ncc       one file and its licences
//   rolldown  drops what nothing in that file uses; it is not minified, so that it can be read
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const root = path.dirname(import.meta.dirname);
const out = path.resolve(root, process.argv[2] ?? 'dist');

function run(tool: string, ...args: string[]): void {
  execFileSync(process.execPath, [path.join(root, 'node_modules', tool), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
}

rmSync(path.join(root, 'build'), { recursive: true, force: true });
rmSync(out, { recursive: true, force: true });
run('typescript/bin/tsc', '--project', 'tsconfig.build.json');
for (const [entry, folder] of [
  ['build/main.js', out],
  ['build/post.js', path.join(out, 'post')],
] as const) {
  run('@vercel/ncc/dist/ncc/cli.js', 'build', entry, '--out', folder, '--license', 'licenses.txt', '--quiet');
  const bundle = await rolldown({ cwd: folder, input: './index.js', platform: 'node' });
  await bundle.write({ file: path.join(folder, 'index.js'), format: 'esm', minify: false });
  await bundle.close();
}
