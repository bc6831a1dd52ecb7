// Builds what the runner runs: one static, readable bundle an entry, with the licences of what is in it.
//   tsc       types away (ncc cannot drive this TypeScript version itself)
//   ncc       one file and its licences, with stubs for what the toolkit brings and nothing here calls
//   rolldown  drops comments and what nothing in that file uses, and loads Node's modules when they are used; it is not
//             minified, so that it can be read
// Usage: npm run build [-- FOLDER]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { aliasesOf, checkAliases } from './bundle/aliases.ts';
import { loadBuiltInsLate } from './bundle/built-ins.ts';

const root = path.dirname(import.meta.dirname);
const out = path.resolve(root, process.argv[2] ?? 'dist');
// Inside the checkout, so that packages are found; a build that fails leaves the last one where it is.
// The tools run in there too: ncc numbers modules by their paths seen from where it runs, and this name is random.
const scratch = mkdtempSync(path.join(root, 'build-'));

/** Classes of which the toolkit makes an object on import. Where nothing uses it, it is left out. */
const MADE_ON_IMPORT = ['Summary', 'Context'];

function run(tool: string, ...args: string[]): void {
  const argv = [path.join(root, 'node_modules', tool), ...args];
  execFileSync(process.execPath, argv, { cwd: scratch, stdio: 'inherit' });
}

try {
  const compiled = path.join(scratch, 'js');
  run('typescript/bin/tsc', '--project', path.join(root, 'tsconfig.build.json'), '--outDir', compiled);
  const aliases = aliasesOf(root);
  // ncc reads this file from where it runs, and follows its paths for imports inside of packages too.
  const paths = Object.fromEntries(Object.entries(aliases).map(([name, stub]) => [name, [stub]]));
  writeFileSync(path.join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }));
  for (const [entry, folder] of [
    ['main.js', ''],
    ['post.js', 'post'],
    ['doctor.js', 'doctor'],
    ['triage.js', 'triage'],
  ] as const) {
    const place = path.join(scratch, 'dist', folder);
    const input = path.join(compiled, entry);
    await checkAliases(input, aliases);
    run(
      '@vercel/ncc/dist/ncc/cli.js',
      'build',
      input,
      '--out',
      place,
      '--license',
      'licenses.txt',
      '--quiet',
    );
    const bundle = await rolldown({
      cwd: place,
      input: './index.js',
      platform: 'node',
      plugins: [loadBuiltInsLate()],
      treeshake: {
        manualPureFunctions: MADE_ON_IMPORT,
        // No getter does anything but return a value, and Node.js has every global that is read.
        propertyReadSideEffects: false,
        unknownGlobalSideEffects: false,
      },
    });
    await bundle.write({
      file: path.join(place, 'index.js'),
      format: 'esm',
      minify: false,
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    await bundle.close();
  }
  rmSync(out, { recursive: true, force: true });
  cpSync(path.join(scratch, 'dist'), out, { recursive: true });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
