import { statSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ACTIONS, exists, filesIn, read, SCRIPTS } from './code.ts';
import {
  anchorsOf,
  codeSpansOf,
  DOCS_PAGES,
  type LocalLink,
  localLinksOf,
  PAGES,
  tableUnder,
  USER_PAGES,
} from './documents.ts';
import { EXAMPLES } from './examples.ts';

const root = path.resolve(import.meta.dirname, '../..');

const Permissions = v.record(v.string(), v.picklist(['read', 'write', 'none']));
const Step = v.looseObject({
  uses: v.optional(v.string()),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.unknown())),
});
const Job = v.looseObject({
  'timeout-minutes': v.number(),
  permissions: Permissions,
  steps: v.array(Step),
});
const Workflow = v.looseObject({
  permissions: v.strictObject({}),
  concurrency: v.object({ group: v.string(), 'cancel-in-progress': v.union([v.boolean(), v.string()]) }),
  jobs: v.record(v.string(), Job),
});

const workflows = filesIn('.github/workflows/*.yml');

describe('the workflows', () => {
  test('the repository has exactly the listed workflows', () => {
    expect(workflows.map((file) => path.basename(file, '.yml'))).toEqual([
      'ci',
      'codeql',
      'dist',
      'nightly',
      'release',
      'self-test',
    ]);
  });

  describe.each(workflows)('%s', (file) => {
    const text = read(file);
    const steps = () => Object.values(v.parse(Workflow, parse(text)).jobs).flatMap((job) => job.steps);

    test(`${file} has no permissions at the top level, but permissions and a timeout in each job`, () => {
      // The schema allows no permissions at the top level, and requires permissions and a timeout in every job.
      expect(v.safeParse(Workflow, parse(text)).issues).toBeUndefined();
    });

    test(`${file} names every action by a full commit id, with its version in a comment`, () => {
      const lines = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
      expect(lines).toHaveLength(steps().filter((step) => step.uses !== undefined).length);
      const foreign = lines.filter((line) => !/uses: \.\/(?: |$)/.test(line));
      for (const line of foreign) expect(line).toMatch(/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    test(`${file} leaves no credentials in a checkout`, () => {
      const checkouts = steps().filter((step) => step.uses?.startsWith('actions/checkout@'));
      expect(checkouts.length).toBeGreaterThan(0);
      for (const checkout of checkouts) expect(checkout.with?.['persist-credentials']).toBe(false);
    });

    test(`${file} has no expression in a script`, () => {
      for (const { run } of steps()) expect(run ?? '').not.toContain('${{');
    });

    test(`${file} runs only our own scripts, which exist and are executable`, () => {
      const named = steps().flatMap(({ run }) => run?.match(/^\.ci\/[\w-]+/gm) ?? []);
      for (const script of named) expect(statSync(path.join(root, script)).mode & 0o111, script).not.toBe(0);
    });
  });

  test('all workflows use the same commit id for an action', () => {
    const all = [...workflows, ...EXAMPLES].map(read).concat(USER_PAGES.map(read)).join('\n');
    const ids = new Map<string, Set<string>>();
    for (const [, owner = '', id = ''] of all.matchAll(/uses: ([\w-]+\/[\w-]+)[\w/-]*@([0-9a-f]{40})/g)) {
      ids.set(owner, (ids.get(owner) ?? new Set()).add(id));
    }
    expect(ids.size).toBeGreaterThan(3);
    expect([...ids].filter(([, found]) => found.size > 1)).toEqual([]);
  });

  test('the release workflow checks the tag a second time before it moves the tag of the major version', () => {
    const { publish } = v.parse(Workflow, parse(read('.github/workflows/release.yml'))).jobs;
    const doing = (text: string) =>
      publish?.steps.flatMap(({ run = '' }, index) => (run.includes(text) ? [index] : [])) ?? [];
    const [publishing, immutable, moving] = ['gh release create', '--jq .immutable', '--method PATCH'].map(
      doing,
    );
    const [before = -1, again = -1] = doing('"$commit" != "$(git rev-parse HEAD)"');
    const order = [before, publishing?.[0], immutable?.[0], again, moving?.[0]].map(Number);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(order).size).toBe(5);
  });

  test('the release workflow checks the archive that GitHub serves, before it publishes anything', () => {
    const { verify, publish } = v.parse(
      v.object({ verify: Job, publish: v.looseObject({ needs: v.string() }) }),
      v.parse(Workflow, parse(read('.github/workflows/release.yml'))).jobs,
    );
    const served = verify.steps.flatMap(({ run = '' }) => (run.includes('/tarball/') ? [run] : []));
    expect(served).toEqual([expect.stringContaining('npm run --silent archive -- ')]);
    expect(publish.needs).toBe('verify');
  });

  test('only the listed jobs of the workflows have write permissions', () => {
    const writing = workflows.flatMap((file) =>
      Object.entries(v.parse(Workflow, parse(read(file))).jobs).flatMap(([job, { permissions }]) =>
        Object.entries(permissions)
          .filter(([, level]) => level === 'write')
          .map(([scope]) => `${path.basename(file, '.yml')}/${job}: ${scope}`),
      ),
    );
    expect(writing).toEqual([
      'codeql/analyze: security-events',
      'dist/commit: contents',
      'release/publish: contents',
      'release/publish: id-token',
      'release/publish: attestations',
      'self-test/passes: checks',
    ]);
  });
});

test('in the workflow that rebuilds dist, the job with write permission runs no code from packages', () => {
  const { build, commit } = v.parse(Workflow, parse(read('.github/workflows/dist.yml'))).jobs;
  const running = (job: typeof build) =>
    job?.steps.filter(({ run }) => run !== undefined && /np[mx]|node|\.ci\//.test(run));
  expect(running(build)).not.toEqual([]);
  expect(build?.permissions).toEqual({ contents: 'read' });
  expect(running(commit)).toEqual([]);
});

test('version managers install the Node.js version that runs the action', () => {
  expect(`node${read('.node-version').trim()}`).toBe(ACTIONS[''].runs.using);
});

describe('the badges of the README', () => {
  test('each badge in the README is the badge that GitHub creates for a workflow on main', () => {
    const badges = [...read('README.md').matchAll(/\[!\[\w+\]\((\S+)\)\]\((\S+)\)/g)];
    expect(badges.length).toBeGreaterThan(0);
    for (const [, image = '', address = ''] of badges) {
      const name = /^https:\/\/github\.com\/scangate\/scangate\/actions\/workflows\/(\w+\.yml)$/.exec(
        address,
      )?.[1];
      expect(workflows).toContain(`.github/workflows/${name}`);
      expect(image).toBe(`${address}/badge.svg?branch=main`);
    }
  });
});

describe('the updates of dependencies', () => {
  test('Dependabot updates no package before its release is a week old', () => {
    const Update = v.looseObject({
      'package-ecosystem': v.string(),
      cooldown: v.object({ 'default-days': v.pipe(v.number(), v.minValue(7)) }),
    });
    const { updates } = v.parse(
      v.object({ version: v.literal(2), updates: v.array(Update) }),
      parse(read('.github/dependabot.yml')),
    );
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions', 'pip']);
  });
});

describe('CONTRIBUTING.md and its pages', () => {
  const pages = ['CONTRIBUTING.md', ...filesIn('docs/contributing/*.md')];
  const contributing = pages.map(read).join('\n');

  test('CONTRIBUTING.md and its pages mention only files and folders that exist', () => {
    const named = [
      ...contributing.matchAll(
        /`((?:src|test|scripts|sandbox|docs|\.ci)\/[\w./-]+|[\w-]+\.(?:md|yml|json))`/g,
      ),
    ];
    const paths = [...new Set(named.map(([, file = '']) => file))];
    expect(paths.length).toBeGreaterThan(30);
    const missing = paths.filter((file) => !exists(file));
    expect(missing.filter((file) => !exists(`sandbox/scan-service/analyzer/rules/${file}`))).toEqual([]);
  });

  test('CONTRIBUTING.md shows an example that is one of our tests', () => {
    expect(read('CONTRIBUTING.md')).toContain(
      `\`\`\`ts\n${read('test/scenarios/fail-on-none.test.ts')}\`\`\``,
    );
  });

  test('CONTRIBUTING.md has at most 2,500 words', () => {
    expect(read('CONTRIBUTING.md').split(/\s+/).length).toBeLessThanOrEqual(2_500);
  });

  test('every script of package.json is mentioned in the README, CONTRIBUTING.md or its pages', () => {
    const papers = `${contributing}\n${read('README.md')}`;
    const unnamed = Object.keys(SCRIPTS).filter(
      (name) => !papers.includes(`npm run ${name}`) && !papers.includes(`\`npm ${name}\``),
    );
    expect(unnamed).toEqual([]);
  });

  test('the page about releases lists valid topics', () => {
    const releases = read('docs/contributing/releases.md');
    const listing = tableUnder(releases, 'The page of the repository and the Marketplace');
    const topics = codeSpansOf(listing.get('topics')?.[0] ?? '');
    expect(topics.length).toBeGreaterThan(4);
    expect(topics.length).toBeLessThanOrEqual(20);
    for (const topic of topics) expect(topic).toMatch(/^[a-z0-9][a-z0-9-]{0,49}$/);
  });

  test('the README links to CONTRIBUTING.md', () => {
    expect(read('README.md')).toContain('[CONTRIBUTING.md](CONTRIBUTING.md)');
  });
});

describe('the pages', () => {
  const isThere = ({ file, anchor }: LocalLink) =>
    exists(file) && (anchor === '' || anchorsOf(read(file)).includes(anchor));

  test.each(PAGES)('%s links to files and headings that exist', (page) => {
    const links = localLinksOf(page);
    expect(links).not.toEqual([]);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });

  test('the README, the architecture or CONTRIBUTING.md links to every page in docs', () => {
    const linked = ['README.md', 'docs/architecture.md', 'CONTRIBUTING.md'].flatMap((page) =>
      localLinksOf(page).map(({ file }) => file),
    );
    expect(DOCS_PAGES).toContain('docs/marks.md');
    expect(DOCS_PAGES.filter((page) => !linked.includes(page))).toEqual([]);
    expect(localLinksOf('CONTRIBUTING.md').map(({ file }) => file)).toContain('docs/marks.md');
  });

  test('code, workflows and manifests link only to pages and headings that exist', () => {
    const files = filesIn('{src,scripts}/**/*.ts', '.github/**/*.yml', '{action.yml,*/action.yml}');
    const named = files.flatMap((file) => [
      ...read(file).matchAll(/(?<=blob\/main\/|^|[\s`'"(])((?:docs\/)?[\w-]+\.md)(?:#([\w-]+))?/gm),
    ]);
    const linked = files.flatMap((file) => [
      ...read(file).matchAll(/\bdocsPage\('([a-z-]+)'(?:, '([a-z-]+)')?\)/g),
    ]);
    expect(linked.length).toBeGreaterThan(5);
    const links = [...named, ...linked.map(([call, page, anchor]) => [call, `docs/${page}.md`, anchor])]
      .map(([, file = '', anchor = '']) => ({ file, anchor }))
      .filter(({ file }) => /^docs\/|^[A-Z]{4,}\.md$/.test(file));
    expect(links).not.toEqual([]);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });
});

describe('the issue forms', () => {
  test('the issue forms have what GitHub needs to show them, and send reports of vulnerabilities elsewhere', () => {
    const Form = v.object({
      name: v.string(),
      description: v.string(),
      labels: v.array(v.string()),
      body: v.array(
        v.looseObject({ type: v.picklist(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']) }),
      ),
    });
    for (const file of ['bug', 'feature'])
      expect(v.safeParse(Form, parse(read(`.github/ISSUE_TEMPLATE/${file}.yml`))).issues).toBeUndefined();
    expect(parse(read('.github/ISSUE_TEMPLATE/config.yml'))).toMatchObject({
      blank_issues_enabled: false,
      contact_links: [{ url: expect.stringMatching(/\/security\/policy$/) }],
    });
  });
});
