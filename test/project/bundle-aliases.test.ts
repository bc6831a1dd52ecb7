import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkAliases } from '../../scripts/bundle/aliases.ts';
import { parse as parseContentType } from '../../scripts/bundle/stubs/content-type.js';
import { HttpClient } from '../../scripts/bundle/stubs/http-client.js';
import { BearerCredentialHandler } from '../../scripts/bundle/stubs/http-client-auth.js';
import { JSONParse, JSONStringify } from '../../scripts/bundle/stubs/json-with-bigint.js';
import { notBundled } from '../../scripts/bundle/stubs/not-bundled.js';
import { paginateRest } from '../../scripts/bundle/stubs/paginate-rest.js';
import { restEndpointMethods } from '../../scripts/bundle/stubs/rest-endpoint-methods.js';
import { fetch } from '../../scripts/bundle/stubs/undici.js';

/** Writes files to a folder that exists for one test. */
function filesWith(contents: Readonly<Record<string, string>>): (name: string) => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-aliases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(contents)) writeFileSync(path.join(folder, name), text);
  return (name) => path.join(folder, name);
}

/** Checks an entry file with this text. A stub that exports only `used` replaces the package `big`. */
function checkEntry(text: string): Promise<void> {
  const file = filesWith({ 'entry.js': text, 'stub.js': 'export const used = 1;' });
  return checkAliases(file('entry.js'), { big: file('stub.js') });
}

describe('the stub for a package', () => {
  test('the build accepts a stub of a package if the stub has everything that is imported', async () => {
    await checkEntry("import { used } from 'big'; console.log(used);");
    await checkEntry("import * as big from 'big'; console.log(big.used);");
  });

  test.each([
    ['a name that is imported', "import { absent } from 'big'; console.log(absent);", 'absent'],
    ['a name that is re-exported', "export { absent } from 'big';", 'absent'],
    ['a member of the imported namespace', "import * as big from 'big'; console.log(big.absent);", 'absent'],
    ['the default export', "import big from 'big'; console.log(big);", 'default'],
    [
      'another file of the package',
      "import { used } from 'big/lib/part.js'; console.log(used);",
      'big/lib/part.js',
    ],
    ['what `require` loads', "console.log(require('big').used);", 'requires big'],
  ])('the build fails if the stub of a package lacks %s', async (_what, text, named) => {
    await expect(checkEntry(text)).rejects.toThrow(named);
  });

  test.each([
    ['fetch of undici', () => Reflect.apply(fetch, undefined, ['https://api.github.com'])],
    ['HttpClient.getJson', () => call(HttpClient(), 'getJson')],
    ['HttpClient.get', () => call(HttpClient(), 'get')],
    ['BearerCredentialHandler', () => Reflect.construct(BearerCredentialHandler, ['token'])],
    ['octokit.rest.checks.create', () => call(Reflect.get(restEndpointMethods().rest, 'checks'), 'create')],
    ['octokit.paginate', () => call(paginateRest(), 'paginate')],
    ['anything', notBundled('anything')],
  ])('the stubs of packages throw if %s is called', (name, useIt) => {
    expect(useIt).toThrow(`Not bundled: ${name}`);
  });

  test.each([
    '{"id":9007199254740991,"name":"1n","no":null,"list":[1.5,"\u2028"]}',
    '[]',
    '"9007199254740993n"',
  ])('the stub of json-with-bigint handles %s like the package itself', async (text) => {
    const whole = await import('json-with-bigint');
    expect(JSONParse(text)).toEqual(whole.JSONParse(text));
    const value: unknown = JSON.parse(text);
    expect(JSONStringify(value)).toBe(whole.JSONStringify(value));
  });

  test.each([
    'application/json; charset=utf-8',
    'application/json',
    'Text/HTML;charset="UTF-8"',
    'application/octet-stream; name="a;b"; charset=utf-8',
  ])('the stub for content-type reads the type and the charset like the package: %s', async (header) => {
    const whole = (await import('content-type')).parse(header);
    const { type, parameters } = parseContentType(header);
    expect([type, parameters.charset]).toEqual([whole.type, whole.parameters['charset']]);
  });

  test('the stub of an HTTP client answers the calls that the Actions toolkit makes while it loads', () => {
    const client = Reflect.construct(HttpClient, []);
    expect(call(client, 'getAgent')).toBeUndefined();
    expect(call(client, 'getAgentDispatcher')).toBeUndefined();
  });
});

function call(target: object, member: string): unknown {
  const found: unknown = Reflect.get(target, member);
  if (typeof found !== 'function') throw new TypeError(`${member} is no function`);
  return Reflect.apply(found, target, []);
}
