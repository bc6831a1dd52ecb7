import type { Root, RootContent } from 'hast';
import { raw } from 'hast-util-raw';
import { expect, test } from 'vitest';
import type { Analysis } from '../../../sandbox/scan-service/analyzer/analyze.ts';
import type { LocatedVulnerability } from '../../../sandbox/scan-service/analyzer/vulnerability.ts';
import { at } from '../play.ts';
import { type Options, start, textAt } from './harness.ts';

const HOSTILE = '</title></bdi><script>alert(1)</script><img src=x onerror="alert(2)">\u202e\'"&amp;<!--';

/** A vulnerability with text of an attacker in every text field. */
function hostileVulnerability(number: number): LocatedVulnerability {
  const text = `${HOSTILE}${number}`;
  const rule = { id: 'r', cwe: text, title: text, description: text, recommendedFix: text };
  return {
    rule: { ...rule, severity: 'HIGH' },
    path: `${text}.js`,
    places: [{ start: number, end: number }],
    snippet: text,
    proof: { kind: 'POC', text },
    shown: { start: number, end: number + 2 },
    occurrence: 0,
  };
}

function analysisOf(...vulnerabilities: LocatedVulnerability[]): Analysis {
  return { vulnerabilities, filesRead: 2, codeFilesRead: 2, filesSkipped: 1, anyCode: true };
}

/** Publishes a completed scan. Returns the address of its page. */
async function published(options: Options, body: object = {}) {
  const harness = await start(options);
  const scanId = await harness.launch();
  await harness.finish(scanId);
  const [findingId = '', second = ''] = harness.service.scans()[0]?.findingIds ?? [];
  const publish = async (kind: 'scans' | 'findings', more: object = {}) => {
    const id = kind === 'scans' ? scanId : findingId;
    const reply = await harness.call('POST', `${kind}/${id}/publish`, { ...body, ...more });
    const url = `${harness.service.origin}/public/${kind}/${textAt(reply.body, 'publicId')}`;
    return { url, password: String(at(reply.body, 'accessPassword')) };
  };
  const { url, password } = await publish('scans');
  const page = async () => (await publish('findings')).url;
  return { ...harness, scanUrl: url, password, publish, page, scanId, findingId, second };
}

/** Reads a page as a browser does, with a parser that is not ours. */
async function read(url: string) {
  const response = await fetch(url);
  const tree = raw({ type: 'root', children: [{ type: 'raw', value: await response.text() }] });
  if (tree.type !== 'root') throw new Error('no document');
  const nodes = all(tree);
  return {
    response,
    nodes,
    elements: nodes.filter((node) => node.type === 'element'),
    text: nodes.flatMap((node) => (node.type === 'text' ? [node.value] : [])).join(''),
  };
}

function all(node: Root | RootContent): (Root | RootContent)[] {
  return [node, ...('children' in node ? node.children.flatMap(all) : [])];
}

/** The elements and attributes that our pages use. */
const ELEMENTS =
  `html head meta title style body main footer h1 h2 h3 p div pre bdi code dl dt dd table thead tbody tr th
  td article span details summary`.split(/\s+/);
const ATTRIBUTES = ['className', 'scope', 'lang', 'charSet', 'name', 'content'];

test('the root address shows a browser what the fake service is, and where the API is', async () => {
  const { service, scanUrl } = await published({});
  const { response, elements, text } = await read(service.origin);
  expect(response.status).toBe(200);
  expect(text).toContain(service.baseUrl);
  expect(text).not.toContain('svc_proj_');
  expect(elements.flatMap((node) => node.properties['href'] ?? [])).toEqual([
    `${service.origin}/openapi.json`,
  ]);
  expect(elements.map((node) => node.tagName)).not.toContain('script');
  const quiet = (headers: Headers) =>
    [...headers].filter(([name]) => !['content-length', 'date'].includes(name));
  expect(quiet(response.headers)).toEqual(quiet((await fetch(scanUrl)).headers));
  expect((await fetch(service.origin, { method: 'HEAD' })).status).toBe(200);
});

test('the root address of the fake service refuses a request with a token, and a POST request', async () => {
  const { service } = await start();
  const headers = { authorization: `Bearer ${service.token}` };
  for (const path of ['/', '//', '///', '/api/v1', '/api//v1/token']) {
    const answer = await fetch(service.origin + path, { headers });
    expect([answer.status, at(await answer.json(), 'error.code')]).toEqual([404, 'not_found']);
  }
  expect((await fetch(service.origin, { method: 'POST' })).status).toBe(401);
  expect(await (await fetch(`${service.origin}//elsewhere.example/`)).text()).not.toContain('elsewhere');
});

test('a public page shows hostile text only as text: it adds no script, element or attribute', async () => {
  const { scanUrl, publish, call, findingId, service } = await published({
    analyze: async () => analysisOf(hostileVulnerability(1), hostileVulnerability(2)),
  });
  const content = `${HOSTILE}\n\n\`\`\`html\n${HOSTILE}\n\`\`\`\n\n\`${HOSTILE}\` ![x](https://x.example/x.png)`;
  const { body } = await call('POST', `findings/${findingId}/notes`, { content });
  service.control.overrideSeverity(findingId, HOSTILE);
  service.control.triage(findingId, { triageStatus: HOSTILE, resolutionStatus: HOSTILE });
  const { url } = await publish('findings', { noteId: textAt(body, 'note.noteId') });
  for (const page of [scanUrl, url]) {
    const { nodes, elements, text } = await read(page);
    expect(text.split(HOSTILE).length).toBeGreaterThan(5);
    expect(nodes.filter((node) => node.type === 'comment')).toEqual([]);
    expect(elements.map((node) => node.tagName).filter((name) => !ELEMENTS.includes(name))).toEqual([]);
    const attributes = elements.flatMap((node) => Object.keys(node.properties));
    expect(attributes.filter((name) => !ATTRIBUTES.includes(name))).toEqual([]);
  }
});

test('every public page loads nothing, runs nothing, is neither cached nor indexed, and can only be read', async () => {
  const { scanUrl, page, service } = await published({}, { withPassword: true });
  for (const url of [scanUrl, await page(), `${service.origin}/public/scans/nothing`]) {
    const { headers } = await fetch(url);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'cache-control': 'no-store',
      'x-robots-tag': expect.stringContaining('noindex'),
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
    });
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const reply = await fetch(url, { method });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  }
});

test('the page of a scan shows what was scanned, the table of severities, and the worst findings first', async () => {
  const { scanUrl, repository, service, findingId, second } = await published({});
  service.control.overrideSeverity(second, 'CRITICAL');
  const { text } = await read(scanUrl);
  const places = [second, findingId].map((id) => text.indexOf(`ZK-${id.slice(-8)}`));
  expect(places).toEqual(places.filter((place) => place > 0).toSorted((a, b) => a - b));
  for (const shown of [
    'acme/shop',
    repository.id('base'),
    repository.id('vulnerable'),
    'Diff review',
    'a.js:3',
  ]) {
    expect(text).toContain(shown);
  }
  expect(text).toMatch(/2 open findings\..*Severity\s*Open\s*CRITICAL\s*1\s*HIGH\s*1/s);
  service.control.triage(findingId, { resolutionStatus: 'FALSE_POSITIVE' });
  expect((await read(scanUrl)).text).toMatch(
    /1 open finding\. 1 more was closed by triage\..*Closed by triage.*a false positive/s,
  );
  service.control.triage(second, { resolutionStatus: 'RESOLVED' });
  expect((await read(scanUrl)).text).toContain('No open findings. 2 more were closed by triage.');
});

test('public pages and the API show the same severities after a later scan changes one', async () => {
  let severity: LocatedVulnerability['rule']['severity'] = 'HIGH';
  const { call, finish, launch, page, scanUrl, scanId, findingId } = await published({
    async analyze() {
      const [first, second] = [hostileVulnerability(1), hostileVulnerability(2)];
      return analysisOf({ ...first, rule: { ...first.rule, title: 'One', severity } }, second);
    },
  });
  severity = 'LOW';
  await finish(await launch());
  const listed = await call('GET', `findings?scanId=${scanId}`);
  expect(at(listed.body, 'items.*.severity')).toEqual(['HIGH', 'HIGH']);
  expect((await read(scanUrl)).text).toMatch(/Severity\s*Open\s*HIGH\s*2/);
  const detail = await call('GET', `findings/${findingId}`);
  expect(at(detail.body, 'finding.severity')).toBe('LOW');
  expect((await read(await page())).text).toMatch(/One\s*LOW/);
});

test('the page of a finding shows the pinned note unless a note was chosen for the page', async () => {
  const { publish, page, call, findingId } = await published({});
  const notes = `findings/${findingId}/notes`;
  const ids: string[] = [];
  for (const content of ['The first note.', 'The second note.']) {
    ids.push(textAt((await call('POST', notes, { content })).body, 'note.noteId'));
  }
  const url = await page();
  const shown = async () => (await read(url)).text;
  expect(await shown()).toMatch(/HIGH.*the parameter x/s);
  expect(await shown()).not.toContain('note.');
  await call('POST', `${notes}/${ids[0]}/pin`, { kind: 'resolution' });
  expect(await shown()).toContain('The first note.');
  expect((await publish('findings', { noteId: ids[1] })).url).toBe(url);
  expect(await shown()).toMatch(/^(?!.*The first note).*The second note/s);
});

const give = (url: string, password: unknown) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ password: String(password) }) });

test('a protected page shows only a form for the password, which posts to the same address', async () => {
  const { scanUrl, page } = await published({}, { withPassword: true });
  for (const url of [scanUrl, await page()]) {
    const { response, elements, text } = await read(url);
    expect(response.status).toBe(401);
    expect(elements.find((node) => node.tagName === 'form')?.properties).toEqual({ method: 'post' });
    const input = elements.find((node) => node.tagName === 'input');
    expect(input?.properties).toMatchObject({ type: 'password', name: 'password' });
    expect(text).not.toMatch(/a\.js|acme|Code evaluated/);
    expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('');
  }
});

test('a password opens only its own page, any number of times, until a new password replaces it', async () => {
  const { scanUrl, password, publish, page, service } = await published({}, { withPassword: true });
  expect(password.length).toBeGreaterThanOrEqual(12);
  expect(service.scans()[0]?.publishedAs).toMatchObject({ accessPassword: password });
  for (let tries = 0; tries < 10; tries += 1) expect((await give(scanUrl, password)).status).toBe(200);
  expect((await give(await page(), password)).status).toBe(403);
  const next = await publish('scans');
  expect((await give(scanUrl, password)).status).toBe(403);
  expect((await give(scanUrl, next.password)).status).toBe(200);
});

test('five wrong passwords for a page lock only that page, until the window of 60 seconds ends', async () => {
  let now = new Date('2024-05-01T10:00:00Z');
  const { scanUrl, password, page } = await published({ clock: { now: () => now } }, { withPassword: true });
  for (let tries = 0; tries < 5; tries += 1) {
    const wrong = await give(scanUrl, `wrong ${tries}`);
    expect([wrong.status, await wrong.text()]).toEqual([403, expect.stringContaining('Wrong password.')]);
    now = new Date(now.getTime() + 1000);
  }
  const limited = await give(scanUrl, password);
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '55']);
  expect(await limited.text()).toContain('Try again in 55 seconds');
  expect((await give(await page(), 'wrong')).status).toBe(403);
  now = new Date(now.getTime() + 55_000);
  expect((await give(scanUrl, password)).status).toBe(200);
});
