// Builds what the runner runs: one static, unminified bundle an entry, with the licences of what is in it.
// tsc first and ncc on the JavaScript, because ncc cannot drive this TypeScript version itself.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const out = path.resolve(root, process.argv[2] ?? 'dist');

function run(tool: string, ...args: string[]): void {
  execFileSync(process.execPath, [path.join(root, 'node_modules', tool), ...args], { cwd: root, stdio: 'inherit' });
}

rmSync(path.join(root, 'build'), { recursive: true, force: true });
rmSync(out, { recursive: true, force: true });
run('typescript/bin/tsc', '--project', 'tsconfig.build.json');
for (const [entry, folder] of [
  ['build/main.js', out],
  ['build/post.js', path.join(out, 'post')],
] as const) {
  run('@vercel/ncc/dist/ncc/cli.js', 'build', entry, '--out', folder, '--license', 'licenses.txt', '--quiet');
}
