import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { ActionRun } from '../../src/sandbox/runner/run-action.ts';
import type { Stage } from '../../src/sandbox/stage.ts';

/** Everything that one run wrote, by the place where somebody could read it. */
export async function everythingWritten(
  { github, service }: Stage,
  run: ActionRun,
  folders: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const written = new Map([
    // The one place where a secret belongs: the runner takes these lines away.
    ['stdout', run.stdout.replaceAll(/^::add-mask::.*$/gm, '')],
    ['stderr', run.stderr],
    ['log', run.log],
    ['outputs', JSON.stringify(run.outputs)],
    ['state', JSON.stringify(run.state)],
    ['summary', run.summary],
    ['environment', JSON.stringify([run.env, run.path])],
    ['log annotations', JSON.stringify(run.annotations)],
    ['requests to GitHub', JSON.stringify(github.requests)],
    ['requests to the service', JSON.stringify(service.requests)],
  ]);
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) written.set(file, await readFile(file, 'utf8'));
    }
  }
  return written;
}

/** A secret as it could be read from a text: plain or encoded; base64 at each of the three places it can begin at. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last characters depend on the neighbours.
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const secretPart = secret.slice(secret.lastIndexOf('_') + 1);
  return [secret, secretPart, encodeURIComponent(secret), bytes.toString('hex'), ...base64, ...urlSafe];
}

/** Neither token can be read anywhere, in any form; and both were masked before anything else was said. */
export async function expectSecretsKept(
  stage: Stage,
  run: ActionRun,
  { secrets, folders }: { readonly secrets: readonly string[]; readonly folders: readonly string[] },
): Promise<void> {
  for (const [place, text] of await everythingWritten(stage, run, folders)) {
    const lower = text.toLowerCase();
    const found = secrets.flatMap(formsOf).filter((form) => lower.includes(form.toLowerCase()));
    expect(found, `secrets in ${place}`).toEqual([]);
  }
  expect(run.masks).toEqual(expect.arrayContaining([...secrets]));
  const said = run.stdout.split('\n').filter((line) => line !== '');
  const masked = said.findIndex((line) => !line.startsWith('::add-mask::'));
  for (const secret of secrets) {
    const at = said.indexOf(`::add-mask::${secret}`);
    expect(at >= 0 && (masked < 0 || at < masked), 'masked before anything else is said').toBe(true);
  }
}
