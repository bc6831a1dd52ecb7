import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bundleFacts } from '../../scripts/bench/bundle-facts.ts';
import { builtInsLoadedLate } from '../../scripts/bundle/built-ins.ts';

test('loads a built-in module when it is used', () => {
  const written = [
    'import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";',
    'const external_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("os");',
    'const external_node_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");',
    'const end = () => external_os_namespaceObject.EOL + (0,external_node_os_namespaceObject.tmpdir)();',
    '896: ((module) => { module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs/promises"); })',
  ];
  expect(builtInsLoadedLate(written.join('\n')).split('\n')).toEqual([
    written[0],
    'const external_os_namespaceObject = () => process.getBuiltinModule("os");',
    'const external_node_os_namespaceObject = () => process.getBuiltinModule("node:os");',
    'const end = () => external_os_namespaceObject().EOL + (0,external_node_os_namespaceObject().tmpdir)();',
    '896: ((module) => { module.exports = process.getBuiltinModule("fs/promises"); })',
  ]);
});

test('leaves no module in a bundle that is loaded before the bundle runs', async () => {
  const { entries } = await bundleFacts();
  for (const { file } of entries) {
    const bundle = readFileSync(file, 'utf8');
    expect(bundle.match(/^import\b.*|createRequire/gm) ?? [], file).toEqual([]);
    expect(bundle.match(/getBuiltinModule\("node:crypto"\)/g), file).toHaveLength(1);
  }
});
