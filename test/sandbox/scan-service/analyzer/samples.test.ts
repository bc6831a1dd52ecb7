import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findCodeVulnerabilities } from '../../../../sandbox/scan-service/analyzer/code-engine.ts';
import { findCredentials } from '../../../../sandbox/scan-service/analyzer/credential-engine.ts';
import { CODE_RULES } from '../../../../sandbox/scan-service/analyzer/rules/code-rules.ts';

/** Samples of code, each below the path of its file. The lines with an arrow say what the analyzer finds in it. */
const SAMPLES = path.join(import.meta.dirname, 'samples.golden.txt');

/** A mark in each credential, so that scanners of our own files do not take it for a real one. */
const CUT = '⁝';

/** What the analyzer finds in a file: the rule, the lines and the proof. */
async function found(file: string, code: string): Promise<string[]> {
  const all = [...(await findCodeVulnerabilities(file, code)), ...(await findCredentials(file, code))];
  return all.map(({ rule, places: [{ start, end }], proof }) => {
    const lines = start === end ? `line ${start}` : `lines ${start} to ${end}`;
    return `→ ${rule.id}, ${lines}${proof === null ? '' : `. ${proof.kind}: ${proof.text}`}`;
  });
}

/** A heading with the texts of the rule. */
function heading(line: string): string {
  const rule = CODE_RULES.find(({ id }) => line.slice(2).startsWith(id));
  return rule === undefined ? line : `# ${rule.id}: ${rule.cwe}, ${rule.severity}, ${rule.title}`;
}

test('the analyzer finds in each sample what the arrows below it say', async () => {
  const shown: string[] = [];
  for (const section of readFileSync(SAMPLES, 'utf8').split(/^(?=# )/m)) {
    const [title = '', ...samples] = section.split(/^## /m);
    shown.push(heading(title.trimEnd()));
    for (const sample of samples) {
      const [file = '', ...lines] = sample.trimEnd().split('\n');
      const code = lines.filter((line) => !line.startsWith('→'));
      const results = await found(file, code.join('\n').replaceAll(CUT, ''));
      shown.push(`## ${file}`, ...code, ...(results.length === 0 ? ['→ nothing'] : results));
    }
  }
  const text = `${shown.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot(SAMPLES);
  expect(CODE_RULES.filter(({ id }) => !text.includes(`→ ${id}`))).toEqual([]);
});

function privateKey(): string {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

test('a private key is proven by loading it, and a broken one is not', async () => {
  expect(await found('id.pem', privateKey())).toEqual([expect.stringMatching(/POC: .*\bec\b/)]);
  // The beginning of the broken key still looks like a key.
  const [begin, first, second, ...rest] = privateKey().split('\n');
  const broken = [begin, first, [...(second ?? '')].reverse().join(''), ...rest].join('\n');
  expect(await found('id.pem', broken)).toEqual([expect.not.stringContaining('POC')]);
});

test('a credential is only in the snippet of its finding', async () => {
  const token = `ghp_${'wWPw5k4aXcaT4fNP'}${'0UcnZwJUVFk6LO0pINUx'}`;
  const [vulnerability] = await findCredentials('a.txt', `x = ${token}`);
  expect(JSON.stringify({ ...vulnerability, snippet: '' })).not.toContain(token.slice(4));
});
