import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { preparePeer } from '../../scripts/bench/peer.ts';

const CJS = "const { EOL } = require('node:os'); process.stdout.write('::error::Input required' + EOL);";
const ESM = "import { EOL } from 'node:os'; process.stdout.write('::error::Input required' + EOL);";

/** Creates an action whose `main` is this script, and prepares it for the benchmark. */
async function prepare(script: string, manifest: object | undefined) {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-peer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = path.join(folder, 'source');
  mkdirSync(path.join(source, 'dist'), { recursive: true });
  writeFileSync(
    path.join(source, 'action.yml'),
    'name: Peer\nruns:\n  using: node24\n  main: dist/index.js\n',
  );
  writeFileSync(path.join(source, 'dist/index.js'), script);
  if (manifest !== undefined) writeFileSync(path.join(source, 'package.json'), JSON.stringify(manifest));
  return preparePeer(source, path.join(folder, 'copy'), {});
}

test.each([
  ['CommonJS without `package.json`', CJS, undefined],
  ['CommonJS with a `package.json` without `type`', CJS, { name: 'peer' }],
  ['ES modules', ESM, { type: 'module' }],
])('the benchmark starts an action of another repository: %s', async (_, script, manifest) => {
  const peer = await prepare(script, manifest);
  expect(peer).toMatchObject({ name: 'Peer', bytes: script.length });
});

test.each([
  ['calls `require` in an ES module', CJS, { type: 'module' }, 'require is not defined'],
  ['lacks a package', "require('not-there');", undefined, 'not-there'],
  ['prints nothing', '', undefined, 'did not start'],
])('the benchmark refuses an action that %s', async (_, script, manifest, why) => {
  await expect(prepare(script, manifest)).rejects.toThrow(why);
});
