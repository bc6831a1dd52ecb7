import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { POLICY_MODULES, WITHOUT_SURVIVORS } from '../mutation/policy-modules.ts';
import { filesIn, read } from './code.ts';

// The folders and entries of `src` by level, the lowest first. A file may import only from a lower level or its own
// folder.
const LEVELS: readonly (readonly string[])[] = [
  ['text', 'clock'],
  ['domain'],
  ['http'],
  ['report', 'github', 'scan-api', 'git', 'runner', 'workflow'],
  ['start'],
  ['change', 'preflight', 'scan', 'deliver'],
  // `gate`, `doctor` and `triage` are folders with an entry of the same name, such as `doctor.ts`.
  ['gate', 'doctor', 'triage'],
  ['main', 'post'],
];
const LONGEST_FILE = 450;

const Lock = v.object({
  packages: v.record(
    v.string(),
    v.object({ optionalDependencies: v.optional(v.record(v.string(), v.string())) }),
  ),
});

const files = filesIn('src/**/*.ts', 'sandbox/**/*.ts');
const source = new Map(files.map((file) => [file, read(file)]));

function folderOf(file: string): string {
  return (file.split('/')[1] ?? '').replace(/\.ts$/, '');
}

function levelOf(folder: string): number {
  return LEVELS.findIndex((level) => level.includes(folder));
}

function importsOf(file: string): string[] {
  const found = (source.get(file) ?? '').matchAll(/^\s*(?:import|export)\b[^;]*?from\s+'(\.[^']+)'/gm);
  return [...found].map(([, specifier]) => path.posix.join(path.posix.dirname(file), specifier ?? ''));
}

const action = files.filter((file) => file.startsWith('src/'));
const IMPORTS = files.flatMap((file) => importsOf(file).map((target) => [file, target] as const));

/** The files of the action in which a pattern occurs outside of comments. */
function whereFound(pattern: RegExp): string[] {
  return action.filter((file) =>
    pattern.test((source.get(file) ?? '').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
  );
}

describe('the architecture', () => {
  test('the architecture has a level for every folder of src', () => {
    expect(action.length).toBeGreaterThan(20);
    expect([...new Set(action.map(folderOf))].filter((folder) => levelOf(folder) < 0)).toEqual([]);
  });

  test('each file imports only from a lower level or its own folder', () => {
    const isUpward = (from: string, to: string) => from !== to && levelOf(to) >= levelOf(from);
    const ofAction = IMPORTS.filter(([file]) => action.includes(file));
    expect(ofAction.filter(([file, target]) => isUpward(folderOf(file), folderOf(target)))).toEqual([]);
  });

  test('the action imports nothing of the sandbox, and the sandbox imports nothing of the action', () => {
    const isOfAction = (file: string) => file.startsWith('src/');
    expect(IMPORTS.filter(([file, target]) => isOfAction(file) !== isOfAction(target))).toEqual([]);
  });

  test('the code has no import cycle', () => {
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const target of importsOf(file)) visit(target, [...trail, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  test.each([
    ['getInput', /\bgetInput\(/, ['src/runner/input-forms.ts']],
    ['setOutput', /\bsetOutput\(/, ['src/deliver/outputs.ts']],
    ['saveState and getState', /\b(?:saveState|getState)\(/, ['src/runner/state.ts']],
    ['Octokit', /@actions\/github|@octokit\//, ['src/github/octokit.ts']],
    ['exec', /@actions\/exec/, ['src/git/git.ts']],
    [
      "calls that write the runner's log",
      /\bcore\.(?:info|warning|error|notice|debug|startGroup)\(|\bconsole\./,
      ['src/runner/log.ts'],
    ],
    ['calls that write to stdout or stderr', /\bstd(?:out|err)\.write\(/, ['src/start/step-process.ts']],
    ['process.exitCode', /process\.exit/, ['src/post.ts', 'src/start/step-process.ts']],
    [
      'calls that create a client',
      /\bcreate(?:ScanApi|GitHub)\(/,
      ['src/github/octokit.ts', 'src/scan-api/client.ts', 'src/start/step.ts'],
    ],
    ['the check whether a scan completed', /'passed' (?:\|\||&&) /, ['src/domain/verdict.ts']],
    ['createHmac', /\bcreateHmac\b/, ['src/domain/seal.ts']],
    ['the schema of a full commit id', /\bv\.check\(isCommitId\b/, ['src/github/schemas.ts']],
    [
      'the template that joins a cause and its next step',
      /\bcause\} \$\{(?:\w+\.)?nextStep\}/,
      ['src/domain/result.ts'],
    ],
    ['calls of fetch', /(?<!typeof )\bglobalThis\.fetch\b|\bfetch\(/, ['src/http/attempt.ts']],
    [
      // The service gives these names to its fields. Our code uses them only for these fields.
      'field names of the service',
      /\b(?:triageStatus|resolutionStatus|confirmationEvidence|auditAreaKeys|withPassword['"]?:)/,
      ['src/scan-api/triage-api.ts', 'src/scan-api/wire-writes.ts', 'src/scan-api/wire.ts'],
    ],
  ])('only the listed files contain %s', (_name, pattern, homes) => {
    expect(whereFound(pattern)).toEqual(homes);
  });

  test('the code has no files with names like `index.ts` or `utils.ts`, and no long files', () => {
    expect(files.filter((file) => /(?:^|\/)(?:index|utils?|helpers?|common|misc)\.ts$/.test(file))).toEqual(
      [],
    );
    const long = files.filter((file) => (source.get(file) ?? '').split('\n').length > LONGEST_FILE);
    expect(long).toEqual([]);
  });

  test('the action depends on five packages, and ncc bundles it', () => {
    expect(Object.keys(manifest.dependencies)).toEqual([
      ...['@actions/core', '@actions/exec', '@actions/github', 'js-yaml', 'valibot'],
    ]);
    expect(manifest).not.toHaveProperty('overrides');
    expect(manifest.devDependencies).toHaveProperty(['@vercel/ncc']);
    // The bundler is ncc. The last step of the build only makes the bundle smaller and faster to load.
    expect(read('scripts/build.ts')).toContain('@vercel/ncc');
  });

  test('the lock file has the optional packages of all platforms, and no download addresses', () => {
    const text = read('package-lock.json');
    const { packages } = v.parse(Lock, JSON.parse(text));
    const names = new Set(Object.keys(packages).map((place) => place.split('node_modules/').at(-1)));
    const wanted = Object.values(packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}));
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
    expect(text).not.toMatch(/"resolved"|https?:\/\/registry/);
  });

  test('the lists of the mutation tests contain only modules that exist', () => {
    const modules: readonly string[] = Object.values(POLICY_MODULES).flat();
    expect(modules.filter((file) => !source.has(file))).toEqual([]);
    expect(WITHOUT_SURVIVORS.filter((file) => !modules.includes(file))).toEqual([]);
    const equivalent = read('test/mutation/equivalent.txt').split('\n');
    const listed = new Set(equivalent.flatMap((line) => /^[^#]+?(?=: )/.exec(line) ?? []));
    expect([...listed].filter((file) => !WITHOUT_SURVIVORS.includes(file))).toEqual([]);
  });

  test('the code disables no check of TypeScript, Biome or Stryker', () => {
    const disabling = /@ts-(?:ignore|nocheck|expect-error)|biome-ignore|Stryker disable/;
    expect(files.filter((file) => disabling.test(source.get(file) ?? ''))).toEqual([]);
  });
});
