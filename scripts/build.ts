// Builds what the runner runs: one static, readable bundle per entry, and the licences of what they contain.
//   tsc       removes the types (ncc itself does not work with this version of TypeScript)
//   ncc       bundles one file, with stubs for dependencies of GitHub's toolkit that our code
//             does not need
//   rolldown  drops comments and unused code, and loads Node's modules when they are first used. The result is not
//             minified, so that it can be read
// Usage: npm run build [-- FOLDER]
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { aliasesOf, checkAliases } from './bundle/aliases.ts';
import { loadBuiltInsLate } from './bundle/built-ins.ts';

const root = path.dirname(import.meta.dirname);
const [folder = 'dist', ...more] = process.argv.slice(2);
const out = path.resolve(root, folder);
const fault = faultOf();
if (fault !== undefined) {
  console.error(fault);
  process.exit(2);
}
// The build writes into this folder first, so that a failed build does not change the last bundle. The folder is in the
// checkout, so that the tools find the packages.
//
// ncc numbers modules by their paths relative to its working directory. So the tools run in this folder, and its random
// name does not change these paths.
const scratch = mkdtempSync(path.join(root, 'build-'));

/**
 * GitHub's toolkit creates an instance of each of these classes on import. The bundle leaves out an instance
 * that is not used. An instance of `Context` would read the event before secret inputs are masked.
 */
const MADE_ON_IMPORT = ['Summary', 'Context'];
/** This bundle contains every package that another bundle contains, so its licences are those of all. A test checks it. */
const WIDEST = 'doctor.js';

/**
 * Says why the folder cannot be used, and what to do. This script cannot use the module that the others use for that:
 * CI runs it without the sandbox.
 */
function faultOf(): string | undefined {
  if (folder.startsWith('-')) return `Unknown option '${folder}'.\n\nUsage: npm run build [-- FOLDER]`;
  if (more.length > 0) return 'There is more than one FOLDER. Use one.';
  if (!existsSync(out)) return undefined;
  if (!statSync(out).isDirectory()) return `${out} is not a folder. Use the path of an empty folder.`;
  // The build replaces the folder, so it must not contain anything else.
  const isReplaceable = readdirSync(out).length === 0 || existsSync(path.join(out, 'licenses.txt'));
  return isReplaceable
    ? undefined
    : `${out} holds other files, which the build would delete. Use an empty folder.`;
}

function run(tool: string, ...args: string[]): void {
  const argv = [path.join(root, 'node_modules', tool), ...args];
  execFileSync(process.execPath, argv, { cwd: scratch, stdio: 'inherit' });
}

/**
 * Replaces each character outside of ASCII by an escape sequence. With one such character, Node needs twice the memory
 * for the file, and more time to compile it. In `String.raw`, an escape sequence has another meaning.
 */
function inAscii(code: string): string {
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(code)) {
    throw new Error('A String.raw of the bundle contains more than ASCII. Write an escape sequence instead.');
  }
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

try {
  const compiled = path.join(scratch, 'js');
  run('typescript/bin/tsc', '--project', path.join(root, 'tsconfig.build.json'), '--outDir', compiled);
  const aliases = aliasesOf(root);
  // ncc reads `tsconfig.json` in its working directory. The paths in this file also apply to imports inside packages.
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
      '--quiet',
      ...(entry === WIDEST ? ['--license', 'licenses.txt'] : []),
    );
    const bundle = await rolldown({
      cwd: place,
      input: './index.js',
      platform: 'node',
      plugins: [loadBuiltInsLate()],
      treeshake: {
        manualPureFunctions: MADE_ON_IMPORT,
        // Both settings are safe for our code: no getter has a side effect, and Node.js defines all globals that the
        // code reads.
        propertyReadSideEffects: false,
        unknownGlobalSideEffects: false,
      },
    });
    const { output } = await bundle.generate({
      format: 'esm',
      // With `minify: false`, the bundle would keep the annotations in comments, despite the next setting.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: false } },
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    await bundle.close();
    writeFileSync(path.join(place, 'index.js'), inAscii(output[0].code));
    if (entry === WIDEST) renameSync(path.join(place, 'licenses.txt'), path.join(scratch, 'licenses.txt'));
  }
  renameSync(path.join(scratch, 'licenses.txt'), path.join(scratch, 'dist/licenses.txt'));
  rmSync(out, { recursive: true, force: true });
  cpSync(path.join(scratch, 'dist'), out, { recursive: true });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
