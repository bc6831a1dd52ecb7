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
import { runScripts } from './run-scripts.ts';

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

  test('the contract command says in one sentence why a file cannot be used, and exits 2', async () => {
    const FILES: Readonly<Record<string, string>> = {
      'neither JSON nor YAML': '{"openapi": [',
      'a list': '- 1',
      'Swagger 2': 'swagger: "2.0"',
      'an object of another kind': 'name: x',
      'a version of OpenAPI without paths': 'openapi: 3.1.0',
      'a reference to another file':
        'openapi: 3.1.0\npaths: { /x: { get: { parameters: [{ $ref: "common.yaml#/page" }] } } }',
      'a record that contains itself': 'openapi: 3.1.0\npaths: &a { /x: *a }',
    };
    const files = await Promise.all(
      Object.entries(FILES).map(async ([what, text]) => [what, [await fileOf('file', text)]] as const),
    );
    const given: readonly (readonly [what: string, args: readonly string[]])[] = [
      ...files,
      ['no such file', ['/nowhere/x.yaml']],
      ['a folder', ['/']],
      ['no file', []],
      ['two files', ['a', 'b']],
      ['an unknown option', ['--bogus']],
    ];
    const shown = given.map(([what, args]) => {
      const { code, out, errors } = run(...args);
      expect({ code, out }, what).toEqual({ code: 2, out: '' });
      return `${what}: ${errors.replace(/^\/\S*/, 'FILE').replace(/\n\nUsage: [\s\S]*/, ' (and the usage)\n')}`;
    });
    await expect(shown.join('')).toMatchFileSnapshot('golden/contract-refused.txt');
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
});

test('`npm run contract` prints the output of the contract command, and exits with its exit code', async () => {
  const theirs = renamed(ours, [...SCHEMAS, 'Launch', 'properties'], { commit: 'headSha' });
  const file = await fileOf('theirs.json', JSON.stringify(theirs));
  const { code, out, errors } = run(file);
  expect(runScripts(['contract', file])).toEqual([{ status: code, stdout: out, stderr: errors }]);
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
