import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Environment } from '../../../sandbox/environment.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';

/** How many requests there were before a run. */
export interface RequestsBefore {
  readonly github: number;
  readonly service: number;
}

/**
 * Returns everything that one run wrote. The keys of the map name the places.
 * @param before how many requests came before this run; they are left out; default: none
 */
export function everythingWritten(
  { github, service }: Environment,
  run: ActionRun,
  folders: readonly string[],
  before: RequestsBefore = { github: 0, service: 0 },
): ReadonlyMap<string, string> {
  const written = new Map([
    // The lines `::add-mask::` are left out: they must contain the secrets, and the runner removes them from the log.
    ['stdout', run.stdout.replaceAll(/^::add-mask::.*$/gm, '')],
    ['stderr', run.stderr],
    ['log', run.log],
    ['outputs', JSON.stringify(run.outputs)],
    ['state', JSON.stringify(run.state)],
    ['summary', run.summary],
    ['environment', JSON.stringify([run.env, run.path])],
    ['log annotations', JSON.stringify(run.annotations)],
    ['requests to GitHub', JSON.stringify(github.requests.slice(before.github))],
    ['requests to the service', JSON.stringify(service.requests.slice(before.service))],
  ]);
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile()) written.set(path.relative(folder, file), readFileSync(file, 'utf8'));
    }
  }
  return written;
}

/**
 * The text after the last `_` of a secret is searched for if it has at least this many characters. A shorter text could
 * be any word.
 */
const SHORTEST_SECRET_PART = 8;
/** The runner's name for the file behind `GITHUB_OUTPUT`. */
const OUTPUT_FILE = /^_runner_file_commands.set_output_/;

/**
 * The forms in which a text can contain a secret. Base64 has three forms, because the form depends on the position of
 * the secret.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // In base64, the first and the last characters depend on the neighbours of the secret, so they are left out.
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const secretPart = secret.slice(secret.lastIndexOf('_') + 1);
  const pieces = secretPart.length >= SHORTEST_SECRET_PART ? [secretPart] : [];
  return [secret, ...pieces, encodeURIComponent(secret), bytes.toString('hex'), ...base64, ...urlSafe];
}

/**
 * The places that contain a secret, in any form.
 * @param written the outputs in lower case, by place
 */
function placesOf(secret: string, written: ReadonlyMap<string, string>): string[] {
  const forms = formsOf(secret).map((form) => form.toLowerCase());
  return [...written].flatMap(([place, text]) => (forms.some((form) => text.includes(form)) ? [place] : []));
}

/**
 * Checks that the run wrote no secret anywhere, in any form. The secrets are the given ones and the passwords that the
 * service generated. Only the output for a password may contain the password.
 */
export function expectNothingLeaked(
  environment: Environment,
  run: ActionRun,
  {
    secrets,
    folders,
    before,
  }: {
    readonly secrets: readonly string[];
    readonly folders: readonly string[];
    readonly before?: RequestsBefore;
  },
): void {
  const written = new Map(
    [...everythingWritten(environment, run, folders, before)].map(([place, text]) => [
      place,
      text.toLowerCase(),
    ]),
  );
  for (const secret of secrets)
    expect(placesOf(secret, written).join(), 'places that hold a secret').toBe('');

  const passwords = environment.service
    .scans()
    .flatMap(({ publishedAs }) => publishedAs?.accessPassword ?? []);
  if (passwords.length === 0) return;
  const { 'public-password': _, ...others } = run.outputs;
  const elsewhere = new Map(
    [...written, ['outputs', JSON.stringify(others).toLowerCase()] as const].filter(
      ([place]) => !OUTPUT_FILE.test(place),
    ),
  );
  for (const password of passwords)
    expect(placesOf(password, elsewhere).join(), 'places that hold a password').toBe('');
}

/** Checks that all secrets were masked before any other output, and that a password in the outputs was masked. */
export function expectMasked(environment: Environment, run: ActionRun, secrets: readonly string[]): void {
  const passwords = environment.service
    .scans()
    .flatMap(({ publishedAs }) => publishedAs?.accessPassword ?? []);
  const shown = passwords.filter((password) => run.outputs['public-password'] === password);
  expect(run.masks).toEqual(expect.arrayContaining([...secrets, ...shown]));
  const said = run.stdout.split('\n').filter((line) => line !== '');
  const masked = said.findIndex((line) => !line.startsWith('::add-mask::'));
  for (const secret of secrets) {
    const at = said.indexOf(`::add-mask::${secret}`);
    expect(at >= 0 && (masked < 0 || at < masked), 'masked before anything else is said').toBe(true);
  }
}
