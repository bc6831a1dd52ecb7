import type { Root, RootContent } from 'hast';
import { raw } from 'hast-util-raw';
import { describe, expect, it } from 'vitest';
import type { Analysis, LocatedVulnerability } from '../../../sandbox/scan-service/analyzer/analyze.ts';
import { MOST_WRONG_TRIES } from '../../../sandbox/scan-service/public-pages/password-check.ts';
import { at, start, textAt } from './harness.ts';

const HOSTILE = '</title></bdi><script>alert(1)</script><img src=x onerror="alert(2)">\u202e\'"&amp;<!--';

/** A vulnerability with text of an attacker in every text field. */
function hostileVulnerability(number: number): LocatedVulnerability {
  const text = `${HOSTILE}${number}`;
  return {
    rule: {
      id: 'r',
      cwe: text,
      severity: 'HIGH',
      title: text,
      description: text,
      recommendedFix: text,
    },
    path: `${text}.js`,
    places: [{ start: number, end: number }],
    snippet: text,
    proof: { kind: 'POC', text },
    shown: { start: number, end: number + 2 },
    occurrence: 0,
  };
}

async function published(options: Parameters<typeof start>[0], body: object = {}) {
  const harness = await start(options);
  const scanId = await harness.launch();
  await harness.finish(scanId);
  const scan = await harness.call('POST', `/projects/{project}/scans/${scanId}/publish`, body);
  const [findingId = ''] = harness.service.scans()[0]?.findingIds ?? [];
  const publishFinding = async (more: object = {}) => {
    const path = `/projects/{project}/findings/${findingId}/publish`;
    const reply = await harness.call('POST', path, { ...body, ...more });
    return `${harness.service.origin}/public/findings/${textAt(reply.body, 'publicId')}`;
  };
  const scanUrl = `${harness.service.origin}/public/scans/${textAt(scan.body, 'publicId')}`;
  return { ...harness, scanUrl, password: at(scan.body, 'accessPassword'), findingId, publishFinding };
}

/** Reads a page as a browser does, with a parser that is not ours. */
async function read(url: string): Promise<{ response: Response; root: Root; text: string }> {
  const response = await fetch(url);
  const value = await response.text();
  const tree = raw({ type: 'root', children: [{ type: 'raw', value }] });
  if (tree.type !== 'root') throw new Error('no document');
  return { response, root: tree, text: textOf(tree) };
}

function all(node: Root | RootContent): (Root | RootContent)[] {
  return [node, ...('children' in node ? node.children.flatMap(all) : [])];
}

function textOf(root: Root): string {
  return all(root)
    .flatMap((node) => (node.type === 'text' ? [node.value] : []))
    .join('');
}

/** The elements and attributes that our pages use. */
const ELEMENTS = new Set(
  `html head meta title style body main footer h1 h2 h3 p div pre bdi code dl dt dd table thead tbody tr th td article
   span details summary`.split(/\s+/),
);
const ATTRIBUTES = new Set(['className', 'scope', 'lang', 'charSet', 'name', 'content']);

describe('the root address of the fake service', () => {
  it('the root address shows a browser what the fake service is, and where the API is', async () => {
    const { service, scanUrl } = await published({});
    const { response, root, text } = await read(service.origin);
    expect(response.status).toBe(200);
    expect(text).toContain(`${service.baseUrl}`);
    expect(text).not.toContain('svc_proj_');
    const links = all(root).flatMap((node) => ('properties' in node ? (node.properties['href'] ?? []) : []));
    expect(links).toEqual([`${service.origin}/openapi.json`]);
    expect((await fetch(String(links[0]))).status).toBe(200);
    expect(all(root).filter((node) => 'tagName' in node && node.tagName === 'script')).toEqual([]);
    const quiet = (headers: Headers) =>
      [...headers].filter(([name]) => !['content-length', 'date'].includes(name));
    expect(quiet(response.headers)).toEqual(quiet((await fetch(scanUrl)).headers));
    expect((await fetch(service.origin, { method: 'HEAD' })).status).toBe(200);
  });

  it('the root address of the fake service refuses a request with a token, and a POST request', async () => {
    const { service } = await start({});
    const headers = { authorization: `Bearer ${service.token}` };
    expect((await fetch(service.origin, { headers })).status).toBe(404);
    expect((await fetch(service.origin, { method: 'POST' })).status).toBe(401);
    const elsewhere = await fetch(`${service.origin}//elsewhere.example/`);
    expect(await elsewhere.text()).not.toContain('elsewhere');
  });
});

describe('a public page with hostile text', () => {
  const analysis: Analysis = {
    vulnerabilities: [hostileVulnerability(1), hostileVulnerability(2)],
    filesRead: 2,
    codeFilesRead: 2,
    filesSkipped: 1,
    anyCode: true,
  };

  it('a public page shows hostile text only as text: it adds no script, element or attribute', async () => {
    const { scanUrl, publishFinding, call, findingId, service } = await published({
      analyze: async () => analysis,
    });
    const notePath = `/projects/{project}/findings/${findingId}/notes`;
    const content = `${HOSTILE}\n\n\`\`\`html\n${HOSTILE}\n\`\`\`\n\n\`${HOSTILE}\` ![x](https://x.example/x.png)`;
    const { body } = await call('POST', notePath, { content });
    service.control.overrideSeverity(findingId, HOSTILE);
    service.control.triage(findingId, { triageStatus: HOSTILE, resolutionStatus: HOSTILE });
    for (const url of [scanUrl, await publishFinding({ noteId: textAt(body, 'note', 'noteId') })]) {
      const { root, text } = await read(url);
      expect(text.split(HOSTILE).length).toBeGreaterThan(5);
      const nodes = all(root);
      expect(nodes.filter((node) => node.type === 'comment')).toEqual([]);
      const elements = nodes.filter((node) => node.type === 'element');
      expect(elements.map((node) => node.tagName).filter((name) => !ELEMENTS.has(name))).toEqual([]);
      const attributes = elements.flatMap((node) => Object.keys(node.properties));
      expect(attributes.filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
    }
  });
});

describe('every public page', () => {
  it('every public page loads nothing, runs nothing, and is neither cached nor indexed', async () => {
    const { scanUrl, publishFinding, service } = await published({}, { withPassword: true });
    for (const url of [scanUrl, await publishFinding(), `${service.origin}/public/scans/nothing`]) {
      const { headers } = await fetch(url);
      const policy = headers.get('content-security-policy') ?? '';
      const rules = Object.fromEntries(
        policy.split('; ').map((rule): [string, string] => {
          const [name = '', ...values] = rule.split(' ');
          return [name, values.join(' ')];
        }),
      );
      expect(rules).toEqual({
        'default-src': "'none'",
        'style-src': expect.stringMatching(/^'sha256-[\w+/]+='$/),
        'form-action': "'self'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
      });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toContain('noindex');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  it('a public page accepts only requests to read the page and to send a password', async () => {
    const { scanUrl } = await published({});
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const reply = await fetch(scanUrl, { method });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
    expect((await fetch(scanUrl, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the page of a scan', () => {
  it('the page of a scan shows what was scanned, the table of severities, and the worst findings first', async () => {
    const { scanUrl, repository, service } = await published({});
    const [first = '', second = ''] = service.scans()[0]?.findingIds ?? [];
    service.control.overrideSeverity(second, 'CRITICAL');
    const { text } = await read(scanUrl);
    for (const expected of ['acme/shop', repository.id('base'), repository.id('vulnerable'), 'Diff review']) {
      expect(text).toContain(expected);
    }
    expect(text).toContain('2 open findings.');
    const place = (part: string) => {
      expect(text).toContain(part);
      return text.indexOf(part);
    };
    expect(place(`ZK-${second.slice(-8)}`)).toBeLessThan(place(`ZK-${first.slice(-8)}`));
    expect(text).toMatch(/Severity\s*Open\s*CRITICAL\s*1\s*HIGH\s*1/);
    expect(text).toContain('a.js:3');
    service.control.triage(first, { resolutionStatus: 'FALSE_POSITIVE' });
    const after = (await read(scanUrl)).text;
    expect(after).toContain('1 open finding. 1 more was closed by triage.');
    expect(after).toMatch(/Closed by triage.*a false positive/s);
    service.control.triage(second, { resolutionStatus: 'RESOLVED' });
    expect((await read(scanUrl)).text).toContain('No open findings. 2 more were closed by triage.');
  });
});

describe('the severity of a vulnerability that a later scan rates differently', () => {
  it('public pages and the API show the same severities after a later scan changes one', async () => {
    let severity: LocatedVulnerability['rule']['severity'] = 'HIGH';
    const { call, finish, launch, publishFinding, scanUrl, service, findingId } = await published({
      analyze: async () => {
        const [first, second] = [hostileVulnerability(1), hostileVulnerability(2)];
        const vulnerabilities = [{ ...first, rule: { ...first.rule, title: 'One', severity } }, second];
        return { vulnerabilities, filesRead: 1, codeFilesRead: 1, filesSkipped: 0, anyCode: true };
      },
    });
    const [scanId] = service.scans().map((scan) => scan.id);
    severity = 'LOW';
    await finish(await launch());
    const listed = await call('GET', `/projects/{project}/findings?scanId=${scanId}`);
    expect(listed.body).toMatchObject({ items: [{ severity: 'HIGH' }, { severity: 'HIGH' }] });
    expect((await read(scanUrl)).text).toMatch(/Severity\s*Open\s*HIGH\s*2/);
    const detail = await call('GET', `/projects/{project}/findings/${findingId}`);
    expect(detail.body).toMatchObject({ finding: { severity: 'LOW' } });
    expect((await read(await publishFinding())).text).toMatch(/One\s*LOW/);
  });
});

describe('the page of a finding', () => {
  it('the page of a finding shows the pinned note unless a note was chosen for the page', async () => {
    const { publishFinding, call, findingId } = await published({});
    const notes = `/projects/{project}/findings/${findingId}/notes`;
    const noteIds: string[] = [];
    for (const content of ['The first note.', 'The second note.']) {
      noteIds.push(textAt((await call('POST', notes, { content })).body, 'note', 'noteId'));
    }
    const url = await publishFinding();
    const shown = async () => (await read(url)).text;
    expect(await shown()).toContain('the parameter x');
    expect(await shown()).toContain('HIGH');
    expect(await shown()).not.toContain('note.');
    await call('POST', `${notes}/${noteIds[0]}/pin`, { kind: 'resolution' });
    expect(await shown()).toContain('The first note.');
    expect(await publishFinding({ noteId: noteIds[1] })).toBe(url);
    expect(await shown()).toContain('The second note.');
    expect(await shown()).not.toContain('The first note.');
  });
});

describe('the password', () => {
  const give = (url: string, password: unknown) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ password: String(password) }) });

  it('a protected page shows only a form for the password, which posts to the same address', async () => {
    const { scanUrl, publishFinding } = await published({}, { withPassword: true });
    for (const url of [scanUrl, await publishFinding()]) {
      const { response, root, text } = await read(url);
      expect(response.status).toBe(401);
      const elements = all(root).filter((node) => node.type === 'element');
      const form = elements.find((node) => node.tagName === 'form');
      expect(form?.properties).toEqual({ method: 'post' });
      const input = elements.find((node) => node.tagName === 'input');
      expect(input?.properties).toMatchObject({ type: 'password', name: 'password' });
      expect(text).not.toMatch(/a\.js|acme|Code evaluated/);
      expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('');
    }
  });

  it('a password opens only its own page, until a new password replaces it', async () => {
    const {
      scanUrl,
      password,
      publishFinding,
      service: restricted,
    } = await published({}, { withPassword: true });
    expect(String(password).length).toBeGreaterThanOrEqual(12);
    expect(restricted.scans()[0]?.publishedAs).toMatchObject({ accessPassword: password });
    expect((await give(scanUrl, password)).status).toBe(200);
    expect((await give(await publishFinding(), password)).status).toBe(403);
    const { call, service } = await published({});
    const scanId = service.scans()[0]?.id;
    const publish = async () => {
      const path = `/projects/{project}/scans/${scanId}/publish`;
      return (await call('POST', path, { withPassword: true })).body;
    };
    const [first, second] = [await publish(), await publish()];
    const url = `${service.origin}/public/scans/${textAt(first, 'publicId')}`;
    expect((await give(url, textAt(first, 'accessPassword'))).status).toBe(403);
    expect((await give(url, textAt(second, 'accessPassword'))).status).toBe(200);
  });

  it('too many wrong passwords for a page lock only that page, until the window ends', async () => {
    let now = new Date('2024-05-01T10:00:00Z');
    const clock = { now: () => now };
    const { scanUrl, password, publishFinding } = await published({ clock }, { withPassword: true });
    for (let tries = 0; tries < MOST_WRONG_TRIES; tries += 1) {
      const wrong = await give(scanUrl, `wrong ${tries}`);
      expect(wrong.status).toBe(403);
      expect(await wrong.text()).toContain('Wrong password.');
      now = new Date(now.getTime() + 1000);
    }
    const limited = await give(scanUrl, password);
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe(String(60 - MOST_WRONG_TRIES));
    expect(await limited.text()).toContain(`Try again in ${60 - MOST_WRONG_TRIES} seconds`);
    expect((await give(await publishFinding(), 'wrong')).status).toBe(403);
    now = new Date(now.getTime() + (60 - MOST_WRONG_TRIES) * 1000);
    expect((await give(scanUrl, password)).status).toBe(200);
  });

  it('a page accepts its password any number of times', async () => {
    const { scanUrl, password } = await published({}, { withPassword: true });
    for (let tries = 0; tries < 2 * MOST_WRONG_TRIES; tries += 1) {
      expect((await give(scanUrl, password)).status).toBe(200);
    }
  });
});
