// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source code in plain strings.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findCredentials } from '../../../../sandbox/scan-service/analyzer/credential-engine.ts';

/** The token is put together here, so that a scanner of our source code does not take it for a real credential. */
const TOKEN = `ghp_${'wWPw5k4aXcaT4fNP'}${'0UcnZwJUVFk6LO0pINUx'}`;

function privateKey(): string {
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

describe('findCredentials', () => {
  it('findCredentials reports the line of a credential in a text file', async () => {
    const [vulnerability, ...more] = await findCredentials(
      'deploy/settings.ini',
      `[a]\nuser = x\ntoken = ${TOKEN}\n`,
    );
    expect(more).toEqual([]);
    expect(vulnerability).toMatchObject({
      places: [{ start: 3, end: 3 }],
      rule: { cwe: 'CWE-798' },
      proof: { kind: 'ANALYSIS' },
    });
  });

  it('findCredentials ignores placeholders', async () => {
    expect(
      await findCredentials('a.txt', 'token = ghp_EXAMPLE\npassword = ${PASSWORD}\nkey = changeme\n'),
    ).toEqual([]);
  });

  it('findCredentials reports a credential even if a comment in the file disables the rule', async () => {
    expect(
      await findCredentials(
        'a.js',
        `// secretlint-disable\nconst t = '${TOKEN}'; // secretlint-disable-line\n`,
      ),
    ).toHaveLength(1);
  });

  it('findCredentials shows the credential only in `snippet`', async () => {
    const [vulnerability] = await findCredentials('a.txt', `x = ${TOKEN}`);
    expect(JSON.stringify({ ...vulnerability, snippet: '' })).not.toContain(TOKEN.slice(4));
  });

  it('findCredentials gives no proof for a password in an address', async () => {
    const [vulnerability] = await findCredentials(
      'a.txt',
      `url = https://admin:${'hunter2hunter2'}@shop.acme.com/`,
    );
    expect(vulnerability).toMatchObject({ rule: { id: 'credential-basicauth' } });
    expect(vulnerability?.proof).toBeUndefined();
  });

  it('findCredentials proves a private key by loading it', async () => {
    const [vulnerability] = await findCredentials('id.pem', privateKey());
    expect(vulnerability).toMatchObject({ rule: { severity: 'CRITICAL' }, proof: { kind: 'POC' } });
    expect(vulnerability?.proof?.text).toContain('ec');
  });

  it('findCredentials gives no proof for a broken private key', async () => {
    // The beginning of the broken key still looks like a key.
    const [begin, first, second, ...rest] = privateKey().split('\n');
    const broken = [begin, first, [...(second ?? '')].reverse().join(''), ...rest].join('\n');
    const [vulnerability] = await findCredentials('id.pem', broken);
    expect(vulnerability).toBeDefined();
    expect(vulnerability?.proof).toBeUndefined();
  });
});
