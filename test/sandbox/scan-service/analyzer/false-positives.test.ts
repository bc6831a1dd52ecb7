// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source code in plain strings.
import { expect, test } from 'vitest';
import { findCodeVulnerabilities } from '../../../../sandbox/scan-service/analyzer/code-engine.ts';
import { findCredentials } from '../../../../sandbox/scan-service/analyzer/credential-engine.ts';
import { isTestFile } from '../../../../sandbox/scan-service/analyzer/test-files.ts';

async function found(code: string, path = 'src/a.js'): Promise<string[]> {
  return (await findCodeVulnerabilities(path, code)).map(({ rule }) => rule.id);
}

const handler = (body: string) => `app.get('/', (req, res) => { ${body} });\n`;

test.each([
  "res.redirect(req.get('Referrer'));",
  "res.redirect(req.get('Referrer') || '/');",
  "res.redirect(req.header('Referer'));",
  'res.redirect(req.headers.referer);',
  "res.redirect(req.headers['referer'] ?? '/');",
  "res.redirect(req.protocol + '://' + req.get('host') + '/login');",
  'res.redirect(`https://${req.headers.host}${req.url}`);',
])('a redirect whose address comes from a header is not reported: %s', async (body) => {
  expect(await found(handler(body))).toEqual([]);
});

test.each([
  'res.redirect(req.query.next);',
  "res.redirect(req.get('Referrer') || req.query.next);",
  "res.redirect(req.query.next || req.get('Referrer'));",
])('a redirect whose address can come from the query is reported: %s', async (body) => {
  expect(await found(handler(body))).toEqual(['open-redirect']);
});

test('a connection whose address comes from a header is reported', async () => {
  const code = handler("fetch(req.headers['x-callback']);");
  expect(await found(code)).toEqual(['server-side-request-forgery']);
});

const EXEC = "const { execSync } = require('child_process');\n";
test.each([
  "execSync('lsof -p ' + Number(server.pid));",
  'execSync(`kill ${process.pid}`);',
  "execSync(`npm install ${flag ? '--quiet' : ''}`);",
  "const line = `npm ci${flag ? '' : ' --quiet'}`;\nexecSync(`${line} --prefix ${__dirname}/x`);",
])('a command is not reported if the program supplies all its values: %s', async (code) => {
  expect(await found(EXEC + code)).toEqual([]);
});

test('a command is reported if a value may come from outside the program', async () => {
  expect(await found(`${EXEC}execSync(\`npm install \${flag ? name : ''}\`);`)).toEqual([
    'command-injection',
  ]);
});

test('markup that is moved within the page is not reported', async () => {
  expect(await found('function copy(from, to) { to.innerHTML = from.innerHTML; }')).toEqual([]);
  expect(await found('function show(to, html) { to.innerHTML = html; }')).toEqual(['cross-site-scripting']);
});

const MADE_UP = [
  `const password = 'vas${'jdhb273r8ywbf'}';`,
  "createHash('md5');",
  'new Agent({ rejectUnauthorized: false });',
  'const token = Math.random();',
].join('\n');

test.each([
  'test/login.js',
  'src/login.spec.ts',
  'packages/a/__tests__/b.jsx',
  'fixtures/user.js',
  'test-login.js',
])('passwords and weak settings in test files are not reported: %s', async (path) => {
  expect(await found(MADE_UP, path)).toEqual([]);
  expect(await findCredentials(path, `postgres://app:${'s3cr3tpa'}ss@db.acme.io:5432/app\n`)).toEqual([]);
});

test('outside test files, passwords and weak settings are reported', async () => {
  expect(await found(MADE_UP)).toHaveLength(4);
  const github = `ghp_${'wWPw5k4aXcaT4fNP'}${'0UcnZwJUVFk6LO0pINUx'}`;
  expect(await findCredentials('test/a.js', `const a = '${github}';\n`)).toHaveLength(1);
});

test('vulnerabilities in test files are reported', async () => {
  expect(await found('eval(input);', 'test/a.js')).toEqual(['code-injection']);
});

test.each(['src/latest.js', 'contest/a.js', 'src/attestation.ts', 'protest.js', 'specific/a.js'])(
  'the file %s is not taken for a test file',
  (path) => {
    expect(isTestFile(path)).toBe(false);
  },
);
