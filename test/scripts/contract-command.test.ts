import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { UsageError } from '../../sandbox/command-line.ts';
import { assumedRules } from '../../sandbox/contract/assumed-rules.ts';
import { CONTRACT_FILE, readContract } from '../../sandbox/contract/read-contract.ts';
import { contractCommand } from '../../scripts/contract/command.ts';
import { compareContracts } from '../../scripts/contract/compare.ts';
import { edited, renamed, SCHEMAS } from './edit-document.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/contract.ts');

const ours = readContract();

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

test('`npm run contract` prints the output of the contract command, and exits with its exit code', async () => {
  const theirs = renamed(ours, [...SCHEMAS, 'Launch', 'properties'], { commit: 'headSha' });
  const file = await fileOf('theirs.json', JSON.stringify(theirs));
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: 'utf8' });
  expect({ code: status, out: stdout, errors: stderr }).toEqual(run(file));
});

async function fileOf(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scangate-contract-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

/** Runs the contract command in this process. */
function run(...args: readonly string[]) {
  try {
    const { exitCode, text } = contractCommand(args);
    return { code: exitCode, out: `${text}\n`, errors: '' };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: 2, out: '', errors: `${error.message}\n` };
  }
}
