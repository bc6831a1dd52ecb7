import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { rounds } from './test/support/rounds.ts';

/** Runs of the whole action. */
const RUNS = [
  'test/{scenarios,security,simulation,support}/**/*.test.ts',
  'test/project/{archive,bench-facts}.test.ts',
];
/** The fake servers, and the scripts. */
const SANDBOX = ['test/{independent-client,sandbox,scripts}/**/*.test.ts'];
/** In these nock intercepts requests: it has to be loaded before anything is fetched in the process. */
const INTERCEPTED = globSync('test/**/*.test.ts', { exclude: [...RUNS, ...SANDBOX] }).filter((file) =>
  loadsNock(path.resolve(file)),
);
/** Looks at connections that nothing else has used. */
const ALONE = ['test/simulation/fault-values.test.ts'];
/** Whole and by the bundle they spawn thousands of processes, so that nothing else should run beside them. */
const CROWDED = ['test/simulation/fault-matrix.test.ts', 'test/simulation/kill-points.test.ts'];

const isByBundle = process.env['SCANGATE_DRIVER'] === 'bundle';
const isCrowded = isByBundle && rounds(false, true);

/** True if the file imports nock, or another test file that does. */
function loadsNock(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/ from '([^']+)';$/gm);
  return [...imports].some(([, name = '']) => {
    if (!name.startsWith('.')) return name === 'nock';
    const imported = path.resolve(path.dirname(file), name);
    return imported.startsWith(path.resolve('test')) && loadsNock(imported, seen);
  });
}

function project(name: string, include: string[], exclude: string[] = []): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include, exclude, sequence: { groupOrder: 0 } } };
}

const crowded: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'crowded',
    include: CROWDED,
    maxWorkers: 1,
    // The processes mostly wait for each other.
    maxConcurrency: 10,
    sequence: { groupOrder: 1 },
  },
};

// Packages as people install them: the markdown parsers come in a second form too, which checks itself and takes twice
// the time.
process.env['NODE_ENV'] = 'production';
// For this process, for those that run the tests, and for what these spawn.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve('node_modules/.cache/compiled');

// What tests leave behind is gone when all are over.
const temporary = mkdtempSync(path.join(tmpdir(), 'scangate-tests-'));
process.env['TMPDIR'] = temporary;
process.on('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));

export default defineConfig({
  test: {
    setupFiles: ['test/support/contract-guard.ts'],
    // Guards against hanging: how long a test takes is up to the machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    restoreMocks: true,
    // Test files share the processes that run them: it takes longer to load the modules than to run the tests.
    isolate: false,
    // Of the action itself; a run by the bundle counts nothing.
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
    // One for each core; more where most of the time the processes of the bundle wait.
    maxWorkers: availableParallelism() * (isByBundle ? 2 : 1),
    projects: [
      project('unit', ['test/**/*.test.ts'], [...RUNS, ...SANDBOX, ...INTERCEPTED]),
      project('unit-intercepted', INTERCEPTED),
      project('sandbox', SANDBOX),
      project('runs', RUNS, [...ALONE, ...(isCrowded ? CROWDED : [])]),
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true, sequence: { groupOrder: 0 } } },
      ...(isCrowded ? [crowded] : []),
    ],
  },
});
