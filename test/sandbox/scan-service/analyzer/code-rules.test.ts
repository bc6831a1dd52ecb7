// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source code in plain strings.
import { describe, expect, it } from 'vitest';
import { findCodeVulnerabilities } from '../../../../sandbox/scan-service/analyzer/code-engine.ts';
import { CODE_RULES } from '../../../../sandbox/scan-service/analyzer/rules/code-rules.ts';

async function found(code: string, path = 'src/a.tsx'): Promise<string[]> {
  const vulnerabilities = await findCodeVulnerabilities(path, code);
  return vulnerabilities.map(
    (vulnerability) =>
      `${vulnerability.rule.id}:${vulnerability.places[0].start}-${vulnerability.places[0].end}`,
  );
}

async function proof(code: string): Promise<string | undefined> {
  return (await findCodeVulnerabilities('a.ts', code))[0]?.proof?.text;
}

const CP = `import { exec, execSync } from 'node:child_process';\n`;

interface RuleCases {
  readonly vulnerable: readonly string[];
  readonly sound: readonly string[];
}

/** For each rule: code that has the vulnerability on its last line, and code that only looks vulnerable. */
const CASES: Readonly<Record<string, RuleCases>> = {
  'command-injection': {
    vulnerable: [
      `${CP}exec(\`ls \${dir}\`);`,
      `${CP}execSync('ls ' + dir, { cwd });`,
      `const cp = require('child_process');\ncp.exec('ls ' + dir, done);`,
      `import * as shell from 'child_process';\nshell.execSync(\`ls \${dir}\`);`,
    ],
    sound: [
      `${CP}exec('ls -l');`,
      `${CP}exec(\`ls -l\`);`,
      `${CP}const flags = '-l';\nexec(\`ls \${flags}\`);`,
      `${CP}/a/.exec('x' + dir);`,
      `import { execFile } from 'node:child_process';\nexecFile('ls', [dir]);`,
      "import { exec } from '@actions/exec';\nexec(`ls ${dir}`);",
    ],
  },
  'sql-injection': {
    vulnerable: [
      'db.query(`SELECT * FROM users WHERE id = ${id}`);',
      `this.pool.execute('DELETE FROM users WHERE name = ' + "'" + name + "'", []);`,
      'db.prepare(`insert into log (line) values (${line})`);',
      'const sql = `UPDATE users SET name = ${name}`;\ndb.run(sql);',
    ],
    sound: [
      `db.query('SELECT * FROM users WHERE id = ?', [id]);`,
      'db.query(sql`SELECT * FROM users WHERE id = ${id}`);',
      "const TABLE = 'users';\ndb.query(`SELECT * FROM ${TABLE}`);",
      'cache.get(`select a colour for ${name}`);',
      'console.log(`SELECT * FROM users WHERE id = ${id}`);',
    ],
  },
  'code-injection': {
    vulnerable: [
      'eval(source);',
      "new Function('a', 'return ' + body);",
      'new Function(body);',
      'eval(`f(${x})`);',
    ],
    sound: ["eval('1 + 1');", "new Function('a', 'return a');", 'JSON.parse(source);', 'this.eval(source);'],
  },
  'unsafe-deserialization': {
    vulnerable: [
      "import { unserialize } from 'node-serialize';\nunserialize(text);",
      "const serialize = require('node-serialize');\nserialize.unserialize(req.cookies.profile);",
      "import yaml from 'js-yaml';\nyaml.load(text, { schema: yaml.DEFAULT_FULL_SCHEMA });",
      "import Cryo from 'cryo';\nCryo.parse(text);",
    ],
    sound: [
      "import yaml from 'js-yaml';\nyaml.load(text);",
      "import Cryo from 'cryo';\nJSON.parse(text);",
      "import { unserialize } from './php-format.js';\nunserialize(text);",
      "import { unserialize } from 'node-serialize';\nunserialize('{}');",
      "import { serialize } from 'node-serialize';\nfunction f(unserialize) {\n  return unserialize(text);\n}",
    ],
  },
  'path-traversal': {
    vulnerable: [
      "import { readFile } from 'node:fs/promises';\nexport const get = (req) => readFile(`files/${req.params.name}`);",
      "import fs from 'fs';\nfunction f(req) {\n  const { name } = req.query;\n  const full = path.join(ROOT, name);\n  if (!name) return;\n}\nconst g = (req) => fs.createReadStream('x/' + req.query.name);",
      "import * as path from 'path';\nconst { promises: files } = require('fs');\nconst f = (req) => files.unlink(path.join(ROOT, req.body.name.trim()));",
      "import { readFile } from 'node:fs/promises';\nconst f = (req) => { if (PAGES.has(req.query.page)) return; return readFile(req.query.name); };",
      "import { readFile } from 'node:fs/promises';\nconst DIR = 'a/';\nconst f = (req) => { const { name } = req.query; if (isThere(DIR) && name) return readFile(DIR + name); };",
      'app.get(PATH, (req, res) => res.sendFile(DIR + req.params[0]));',
      "import { readFileSync } from 'fs';\nconst f = (incoming: IncomingMessage) => readFileSync(decodeURIComponent(String(incoming.url)));",
    ],
    sound: [
      "import { readFile } from 'node:fs/promises';\nimport path from 'node:path';\nexport const get = (req) => readFile(path.join(DIR, path.basename(req.params.name)));",
      "import { readFile } from 'node:fs/promises';\nconst f = (req) => {\n  const full = path.resolve(DIR, req.query.name);\n  if (!full.startsWith(DIR)) throw new Error();\n  return readFile(full);\n};",
      "import { readFile } from 'node:fs/promises';\nconst f = (req) => (ALLOWED.has(req.query.name) ? readFile(req.query.name) : null);",
      "import { readFile } from 'node:fs/promises';\nconst f = (req) => { assertPlainName(req.query.name); return readFile(`a/${req.query.name}`); };",
      "import { readFile } from 'node:fs/promises';\nconst f = (req) => { if (NAMES.has(req.query.name)) return readFile(req.query.name.trim()); };",
      "import { readFile } from 'node:fs/promises';\nconst f = (req) => { const { name } = req.query; if (name !== 'a.txt') return; return readFile(name); };",
      'app.get(PATH, (req, res) => res.sendFile(req.params.name, { root: DIR }));',
      "import { readFile } from './cache.js';\nconst f = (req) => readFile(req.query.name);",
      "import { readFile } from 'node:fs/promises';\nconst f = (name) => readFile(name);",
      "import { readFile } from 'node:fs/promises';\nconst f = (req) => readFile(FILES[req.query.name.length]);",
    ],
  },
  'server-side-request-forgery': {
    vulnerable: [
      'export const proxy = (req) => fetch(req.query.url);',
      'const f = async (req) => fetch(`https://${req.params.region}.example.com/status`);',
      "import axios from 'axios';\nconst f = ({ req }) => axios({ method: 'get', url: req.body.callback });",
      "import https from 'node:https';\nconst f = (req) => https.get('https://' + req.headers['x-host'] + '/');",
      'const f = (request: Request) => fetch(new URL(request.url).searchParams.get("u") ?? HOME);',
    ],
    sound: [
      'export const user = (req) => fetch(`https://api.example.com/users/${req.params.id}`);',
      "const BASE = 'https://api.example.com/';\nconst f = (req) => fetch(BASE + req.params.id);",
      'const f = (req) => fetch(`${config.base}/users/${req.params.id}`);',
      'self.onfetch = (event) => fetch(event.request.url);',
      "import map from './map.js';\nconst f = (req) => map.get(req.query.url);",
      'const f = (req) => { if (!HOSTS.includes(req.query.host)) return; return fetch(`https://${req.query.host}/`); };',
      'const f = (req, fetch) => send(req.query.url);',
    ],
  },
  'cross-site-scripting': {
    vulnerable: [
      "function show(name) { box.innerHTML = '<b>' + name + '</b>'; }",
      'const C = ({ body }) => <p dangerouslySetInnerHTML={{ __html: body }} />;',
      "list.insertAdjacentHTML('beforeend', location.hash);",
      'const where = window.location.search;\ndocument.write(`<a href="${where}">`);',
      "app.get('/', (req, res) => res.send(`<h1>${req.query.title}</h1>`));",
    ],
    sound: [
      'function show(name) { box.textContent = name; }',
      'function show(name) { box.innerHTML = DOMPurify.sanitize(name); }',
      "box.innerHTML = '<b>empty</b>';",
      "import icon from './icon.svg';\nbox.innerHTML = icon;",
      "app.get('/', (req, res) => res.send(`Hello ${req.query.name}`));",
      "app.get('/', (req, res) => res.send(`<h1>${escapeHtml(req.query.title)}</h1>`));",
      'function show(count: number) { box.innerHTML = `<b>${count}</b>`; }',
      'function f(name) { const innerHTML = name; }',
    ],
  },
  'prototype-pollution': {
    vulnerable: [
      'function merge(a, b) {\n  for (const k in b) {\n    if (isObject(b[k])) merge(a[k], b[k]);\n    else a[k] = b[k]; } }',
      'const extend = (to, from) => Object.keys(from).forEach((key) => {\n  to[key] = isObject(from[key]) ? extend(to[key], from[key]) : from[key]; });',
      "app.post('/', (req) => { settings[req.body.section][req.body.key] = req.body.value; });",
    ],
    sound: [
      'function fill(m, row, column, value) { m[row][column] = value; }',
      'function copy(a, b) { for (const k in b) a[k] = b[k]; }',
      "function merge(a, b) {\n  for (const k in b) {\n    if (k === '__proto__') continue;\n    if (isObject(b[k])) merge(a[k], b[k]);\n    else a[k] = b[k];\n  }\n}",
      'function merge(a, b) {\n  for (const k in b) {\n    if (Object.hasOwn(a, k)) merge(a[k], b[k]);\n    else a[k] = b[k];\n  }\n}',
      'function visit(tree) { for (const k in tree) tree[k] = visit(tree[k]); }',
      "app.post('/', (req) => { settings[req.body.section] = req.body.value; });",
      "app.post('/', (req) => { if (SECTIONS.has(req.body.section)) settings[req.body.section][req.body.key] = 1; });",
    ],
  },
  'hard-coded-credential': {
    vulnerable: [
      `const password = '${'hunter2'}hunter2';`,
      `connect({ user: 'shop', 'db-password': '${'s3cr3t'}!Pa55' });`,
      `const key = process.env.API_KEY;\nconfig.apiKey = key ?? '${'9f8a7b6c'}5d4e3f2a1b';`,
      `class Client {\n  private accessToken = '${'q8Zr'}T1vXw0'; }`,
      `import jwt from 'jsonwebtoken';\njwt.sign(claims, '${'k3yb0ard'}-c4t');`,
    ],
    sound: [
      'const password = process.env.PASSWORD;',
      "const password = 'changeme123';",
      "const messages = { password: 'Enter at least 8 characters' };",
      "const labels = { token: 'auth.token.missing', secret: 'SECRET_V2' };",
      "const tokenType = 'a1b2c3d4e5f6';",
      "const tokenUrl = 'https://a1.example.com/oauth2';",
      'const secret = `${prefix}a1b2c3d4`;',
      "const token = '<your-token-1234>';",
      "const key = 'row-4711-a8b9';",
      "if (password === 'a1b2c3d4e5') {}",
    ],
  },
  'open-redirect': {
    vulnerable: [
      "app.get('/login', (req, res) => res.redirect(req.query.next));",
      "app.get('/login', (req, res) => res.redirect(302, req.query.next || '/'));",
      "const f = (req, res) => res.setHeader('Location', '//' + req.query.host);",
      'const f = (request) => Response.redirect(new URL(request.url).searchParams.get("to"));',
    ],
    sound: [
      "app.get('/u', (req, res) => res.redirect('/users/' + req.params.id));",
      "app.get('/login', (req, res) => res.redirect('/'));",
      "app.use((req, res) => res.redirect('https://' + HOST + req.url));",
      'app.use((req, res) => res.redirect(`https://www.example.com${req.originalUrl}`));',
      'const f = (req, res) => { const next = req.query.next; if (!isLocal(next)) return; res.redirect(next); };',
      "const f = (req, res) => res.setHeader('X-Next', req.query.next);",
    ],
  },
  'weak-random': {
    vulnerable: [
      'const sessionToken = Math.random().toString(36);',
      "user.resetCode = String(Math.floor(Math.random() * 1e6)).padStart(6, '0');",
      'const makeToken = () => Array.from({ length: 9 }, () => A[Math.floor(Math.random() * 9)]).join("");',
      "function createPassword() {\n  let out = '';\n  for (let i = 0; i < 9; i += 1) out += A.charAt(Math.random() * 9); return out; }",
      'function apiKey() { return `k${Math.random()}`; }',
      'const account = { otp: Math.round(Math.random() * 1e6) };',
    ],
    sound: [
      'const delay = Math.random() * 1000;',
      'const tokenWidth = Math.random() * 9;',
      'const token = await retry(ask, Math.random() * 1000);',
      'const token = crypto.randomUUID();',
      'function makeToken() { wait(Math.random()); return crypto.randomUUID(); }',
      'function makeToken() { const jitter = Math.random(); return sign(jitter); }',
      '<Row key={Math.random()} />;',
    ],
  },
  'disabled-tls-verification': {
    vulnerable: [
      'https.request({ rejectUnauthorized: false });',
      "const o = { 'rejectUnauthorized': !1 };",
      'agent.options.rejectUnauthorized = false;',
      "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';",
      "process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0;",
    ],
    sound: [
      'https.request({ rejectUnauthorized: true });',
      'https.request({ rejectUnauthorized: strict });',
      "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';",
      '// rejectUnauthorized: false',
      "const text = 'rejectUnauthorized: false';",
    ],
  },
  'weak-hash': {
    vulnerable: [
      "crypto.createHash('md5').update(x);",
      "createHash('SHA1');",
      "crypto.createHmac('sha-1', key);",
    ],
    sound: ["createHash('sha256');", 'createHash(algorithm);', "table.lookup('md5');"],
  },
};

describe('the code rules', () => {
  it('this file tests every code rule', () => {
    expect(Object.keys(CASES).sort()).toEqual(CODE_RULES.map((rule) => rule.id).sort());
  });

  for (const [rule, { vulnerable, sound }] of Object.entries(CASES)) {
    it.each(vulnerable)(`the rule ${rule} finds %j`, async (code) => {
      const line = code.split('\n').length;
      expect(await found(code)).toEqual([`${rule}:${line}-${line}`]);
    });
    it.each(sound)(`the rule ${rule} ignores %j`, async (code) => {
      expect(await found(code)).toEqual([]);
    });
  }

  it('each code rule has a CWE, a description and a recommended fix', () => {
    for (const rule of CODE_RULES) {
      expect(rule.cwe).toMatch(/^CWE-\d+$/);
      expect(rule.description.length).toBeGreaterThan(40);
      expect(rule.recommendedFix.length).toBeGreaterThan(20);
    }
  });

  it.each(['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.mts', 'a.cts', 'a.tsx', 'A.JS'])(
    'the code rules apply to %s',
    async (path) => {
      expect(await found('eval(source);', path)).toEqual(['code-injection:1-1']);
    },
  );

  it.each(['a.py', 'README.md', 'js', 'a.json'])('the code rules do not apply to %s', async (path) => {
    expect(await found('eval(source);', path)).toEqual([]);
  });

  it('the code rules find a vulnerability even in a file that does not parse', async () => {
    expect(await found('const = ;\neval(source);\n}}')).toEqual(['code-injection:2-2']);
  });

  it('the location of a finding does not include the callback', async () => {
    expect(await found(`${CP}exec(\n  \`ls \${dir}\`,\n  (error) => {\n    done(error);\n  },\n);`)).toEqual([
      'command-injection:2-3',
    ]);
  });
});

describe('a proof', () => {
  it.each([
    ['a parameter', 'function f(name) { eval(name); }', 'the parameter name'],
    ['a part of a parameter', 'const f = (req) => { eval(req.query.code); };', 'the parameter req'],
    [
      'a value taken from a parameter',
      'function f(req) { const { code } = req.body; eval(code); }',
      'the parameter req',
    ],
    ['the command line', 'eval(process.argv[2]);', 'the command line'],
    [
      'a parameter of the outer function',
      'function f(name) { return () => eval(name); }',
      'the parameter name',
    ],
  ])('the proof of a finding names the source of a dangerous value: %s', async (_what, code, source) => {
    expect(await proof(code)).toContain(source);
  });

  it.each([
    ['is passed through a call', 'function f(name) { eval(check(name)); }'],
    ['is assigned again', 'function f(name) { name = check(name); eval(name); }'],
    ['is hidden by a declaration', 'function f(name) { { const name = check(); eval(name); } }'],
    ['is never declared', 'eval(name);'],
    ['belongs to another function', 'function g(p) { const name = p; } function f() { eval(name); }'],
    ['is a number', 'function f(id: number) { db.query(`SELECT * FROM t WHERE id = ${id}`); }'],
  ])('a finding has no proof if the dangerous value %s', async (_what, code) => {
    expect(await found(code)).toHaveLength(1);
    expect(await proof(code)).toBeUndefined();
  });
});
