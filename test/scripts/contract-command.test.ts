import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { assumedRules } from '../../sandbox/contract/assumed-rules.ts';
import { CONTRACT_FILE, readContract } from '../../sandbox/contract/read-contract.ts';
import { contractCommand } from '../../scripts/contract/command.ts';
import { compareContracts } from '../../scripts/contract/compare.ts';
import { edited, renamed, without } from './edit-document.ts';

const execute = promisify(execFile);
const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/contract.ts');
const Failure = v.object({ code: v.union([v.number(), v.string()]), stdout: v.string(), stderr: v.string() });

const ours = readContract();
const SCHEMAS = ['components', 'schemas'];

describe('the command', () => {
  test('the contract command exits 0 for a YAML or JSON file that confirms everything', async () => {
    const json = await fileOf('contract.json', JSON.stringify(ours));
    for (const file of [CONTRACT_FILE, json]) {
      const { code, out } = run(file, '--all');
      expect(out).toMatch(
        /^POST \/projects\/\{projectId\}\/scans {2}\(always\)\n(?: {2}confirmed {2}\S.*\n)+/m,
      );
      expect(out).toMatch(/of (\d+) assumptions \1 are confirmed, 0 read anyway, 0 wrong, 0 not found\./);
      const [, asked = ''] = out.split('\n\nTo be asked of the service: ');
      const rules = assumedRules(ours).flatMap((group) => group.rules);
      expect(asked).toMatch(new RegExp(`^${rules.length} rules .*\\n\\nEvery endpoint\\n`));
      const whole = asked.replaceAll(/\n {4}/g, ' ').split('\n');
      expect(whole.filter((line) => line.startsWith('  '))).toEqual(rules.map((rule) => `  ${rule}`));
      const wide = out.split('\n').filter((line) => line.length > 100);
      expect(wide.filter((line) => line !== `${file}:`)).toEqual([]);
      expect(code).toBe(0);
    }
  });

  test('without `--all`, the contract command does not list confirmed names', async () => {
    const { code, out } = run(CONTRACT_FILE);
    expect(out).toMatch(
      /^To do: 0\n\n.*:\n.* 0 not found\.\n.*\nWith --all: every name, and \d+ rules .*\n$/,
    );
    expect(code).toBe(0);
  });

  test('the contract command exits 1 for a file that renames a member', async () => {
    const theirs = renamed(ours, [...SCHEMAS, 'Launch', 'properties'], { commit: 'commit\u001b[2J' });
    const { code, out } = run(await fileOf('theirs.yaml', stringify(theirs)));
    expect(out).toMatch(
      /^ {2}not found +request +commit\n {4}no such member; the file has commit\?\[2J\n {4}-> the action sends it: .*"NAME":"…"\}$/m,
    );
    expect(code).toBe(1);
  });

  test.each<[what: string, text: string, says: RegExp]>([
    ['neither JSON nor YAML', '{"openapi": [', /is neither JSON nor YAML/],
    ['a list', '- 1', /does not contain an object\. Use an OpenAPI file/],
    ['Swagger 2', 'swagger: "2.0"', /is a Swagger 2\.0 file\. Convert it/],
    ['an object of another kind', 'name: x', /is not an OpenAPI 3\.0 or 3\.1 file/],
    ['an OpenAPI version without paths', 'openapi: 3.1.0', /has no paths/],
    [
      'a reference to another file',
      'openapi: 3.1.0\npaths: { /x: { get: { parameters: [{ $ref: "common.yaml#/page" }] } } }',
      /refers to another file, common\.yaml#\/page\. Put them into one file/,
    ],
    ['a record that contains itself', 'openapi: 3.1.0\npaths: &a { /x: *a }', /is neither JSON nor YAML/],
  ])('the contract command exits 2 with one sentence for a file that holds %s', async (_what, text, says) => {
    const { code, out, errors } = run(await fileOf('file', text));
    expect(errors.trim().split('\n')).toEqual([expect.stringMatching(says)]);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  test('the contract command exits 2 if each of 30 schemas names the next one twice', async () => {
    const diamond = (levels: number) => {
      const subschemas = Array.from({ length: levels }, (_, level) => {
        const next = { $ref: `#/components/schemas/Level${level + 1}` };
        return [`Level${level}`, { allOf: [next, next] }] as const;
      });
      const last = [`Level${levels}`, { properties: { scanId: { type: 'string' } } }] as const;
      const theirs = edited(ours, SCHEMAS, (all) => ({
        ...all,
        ...Object.fromEntries([...subschemas, last]),
      }));
      return edited(theirs, [...SCHEMAS, 'Launched'], (launched) => ({
        allOf: [launched, { $ref: '#/components/schemas/Level0' }],
      }));
    };
    expect(compareContracts(ours, diamond(8)).filter(({ state }) => state !== 'confirmed')).toEqual([]);
    const { code, out, errors } = run(await fileOf('diamond.json', JSON.stringify(diamond(30))));
    expect(errors).toBe(
      'A schema combines more than 10000 other schemas. Name each of them only once in its allOf.\n',
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('the contract command shows its usage for `--help` and for wrong arguments', async () => {
    const usage = /^Usage: npm run contract -- FILE \[--all\]\n/m;
    for (const option of ['--help', '-h']) {
      expect(run(option)).toMatchObject({ code: 0, out: expect.stringMatching(usage), errors: '' });
    }
    for (const args of [[], ['a', 'b'], ['--bogus']]) {
      expect(run(...args)).toMatchObject({ code: 2, out: '', errors: expect.stringMatching(usage) });
    }
  });

  test.each([
    ['/nowhere/x.yaml', '/nowhere/x.yaml does not exist. Use the path of an OpenAPI file.\n'],
    ['/', '/ is a folder. Use the path of an OpenAPI file.\n'],
  ])('the contract command exits 2 if the path is not a file: %s', async (file, errors) => {
    expect(run(file)).toEqual({ code: 2, out: '', errors });
  });
});

describe('`npm run contract`', () => {
  test.each<[what: string, args: readonly string[]]>([
    ['a table', [CONTRACT_FILE, '--all']],
    ['a message', ['/nowhere/x.yaml']],
  ])('`npm run contract` prints the output of the contract command: %s', async (_what, args) => {
    expect(await spawned(...args)).toEqual(run(...args));
  });

  test('`npm run contract` exits 1 if the file lacks an endpoint', async () => {
    const theirs = without(ours, ['paths'], '/token');
    const file = await fileOf('theirs.json', JSON.stringify(theirs));
    const { code, out, errors } = await spawned(file);
    expect({ code, errors }).toEqual({ code: 1, errors: '' });
    expect(out).toBe(run(file).out);
  });
});

async function fileOf(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-contract-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

/** The output of the command, and its exit code. */
interface Printed {
  readonly code: number | string;
  readonly out: string;
  readonly errors: string;
}

/** Runs the contract command in this process. */
function run(...args: readonly string[]): Printed {
  const ended = contractCommand(args);
  return ended.exitCode === 2
    ? { code: ended.exitCode, out: '', errors: `${ended.message}\n` }
    : { code: ended.exitCode, out: `${ended.text}\n`, errors: '' };
}

async function spawned(...args: readonly string[]): Promise<Printed> {
  try {
    const { stdout, stderr } = await execute(process.execPath, [SCRIPT, ...args]);
    return { code: 0, out: stdout, errors: stderr };
  } catch (error) {
    const { code, stdout, stderr } = v.parse(Failure, error);
    return { code, out: stdout, errors: stderr };
  }
}
