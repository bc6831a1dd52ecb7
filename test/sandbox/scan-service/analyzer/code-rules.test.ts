// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source code in plain strings.
import { describe, expect, it } from 'vitest';
import { findCodeFlaws } from '../../../../src/sandbox/scan-service/analyzer/code-engine.ts';
import { CODE_RULES } from '../../../../src/sandbox/scan-service/analyzer/rules/code-rules.ts';

async function found(code: string, path = 'src/a.ts'): Promise<string[]> {
  const flaws = await findCodeFlaws(path, code);
  return flaws.map((flaw) => `${flaw.rule.id}:${flaw.places[0].start}-${flaw.places[0].end}`);
}

async function proof(code: string): Promise<string | undefined> {
  return (await findCodeFlaws('a.ts', code))[0]?.proof?.text;
}

const CP = `import { exec, execSync } from 'node:child_process';\n`;

interface RuleCases {
  readonly flawed: readonly string[];
  readonly sound: readonly string[];
}

/** For each rule: code that has the flaw on its last line, and code that only looks like it. */
const CASES: Readonly<Record<string, RuleCases>> = {
  'command-injection': {
    flawed: [
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
    flawed: [
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
    flawed: [
      'eval(source);',
      "new Function('a', 'return ' + body);",
      'new Function(body);',
      'eval(`f(${x})`);',
    ],
    sound: ["eval('1 + 1');", "new Function('a', 'return a');", 'JSON.parse(source);', 'this.eval(source);'],
  },
  'disabled-tls-verification': {
    flawed: [
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
    flawed: [
      "crypto.createHash('md5').update(x);",
      "createHash('SHA1');",
      "crypto.createHmac('sha-1', key);",
    ],
    sound: ["createHash('sha256');", 'createHash(algorithm);', "table.lookup('md5');"],
  },
};

describe('the code rules', () => {
  it('all have cases here', () => {
    expect(Object.keys(CASES).sort()).toEqual(CODE_RULES.map((rule) => rule.id).sort());
  });

  for (const [rule, { flawed, sound }] of Object.entries(CASES)) {
    it.each(flawed)(`${rule} finds %j`, async (code) => {
      const line = code.split('\n').length;
      expect(await found(code)).toEqual([`${rule}:${line}-${line}`]);
    });
    it.each(sound)(`${rule} leaves %j alone`, async (code) => {
      expect(await found(code)).toEqual([]);
    });
  }

  it('say what they found in words of their own, with a CWE', () => {
    for (const rule of CODE_RULES) {
      expect(rule.cwe).toMatch(/^CWE-\d+$/);
      expect(rule.description.length).toBeGreaterThan(40);
      expect(rule.recommendedFix.length).toBeGreaterThan(20);
    }
  });

  it.each(['a.js', 'a.mjs', 'a.cjs', 'a.jsx', 'a.ts', 'a.mts', 'a.cts', 'a.tsx', 'A.JS'])(
    'read %s',
    async (path) => {
      expect(await found('eval(source);', path)).toEqual(['code-injection:1-1']);
    },
  );

  it.each(['a.py', 'README.md', 'js', 'a.json'])('do not read %s', async (path) => {
    expect(await found('eval(source);', path)).toEqual([]);
  });

  it('survive a file that does not parse', async () => {
    expect(await found('const = ;\neval(source);\n}}')).toEqual(['code-injection:2-2']);
  });

  it('do not take a callback after the dangerous argument for a part of the flaw', async () => {
    expect(await found(`${CP}exec(\n  \`ls \${dir}\`,\n  (error) => {\n    done(error);\n  },\n);`)).toEqual([
      'command-injection:2-3',
    ]);
  });
});

describe('proof', () => {
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
      'a parameter of the function around',
      'function f(name) { return () => eval(name); }',
      'the parameter name',
    ],
  ])('is given for %s', async (_what, code, source) => {
    expect(await proof(code)).toContain(source);
  });

  it.each([
    ['passed through a call', 'function f(name) { eval(check(name)); }'],
    ['is assigned again', 'function f(name) { name = check(name); eval(name); }'],
    ['is hidden by a declaration', 'function f(name) { { const name = check(); eval(name); } }'],
    ['comes from nowhere', 'eval(name);'],
    ['belongs to another function', 'function g(p) { const name = p; } function f() { eval(name); }'],
    ['is a number', 'function f(id: number) { db.query(`SELECT * FROM t WHERE id = ${id}`); }'],
  ])('is not given for a value that %s', async (_what, code) => {
    expect(await found(code)).toHaveLength(1);
    expect(await proof(code)).toBeUndefined();
  });
});
