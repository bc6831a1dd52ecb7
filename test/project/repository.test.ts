import { statSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ACTIONS, exists, filesIn, read, SCRIPTS } from './code.ts';
import { anchorsOf, DOCS_PAGES, type LocalLink, localLinksOf, PAGES, USER_PAGES } from './documents.ts';
import { EXAMPLES } from './examples.ts';

const root = path.resolve(import.meta.dirname, '../..');

const Permissions = v.record(v.string(), v.picklist(['read', 'write', 'none']));
const Step = v.pipe(
  v.looseObject({
    // Our own actions, or a full commit id.
    uses: v.optional(v.pipe(v.string(), v.regex(/^(?:\.\/|[\w./-]+@[0-9a-f]{40}$)/))),
    run: v.optional(v.pipe(v.string(), v.excludes('${{'))),
    with: v.optional(v.record(v.string(), v.unknown())),
  }),
  v.check(
    ({ uses = '', with: inputs }) =>
      !uses.startsWith('actions/checkout@') || inputs?.['persist-credentials'] === false,
    'A checkout leaves no credentials.',
  ),
);
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
  test.each(workflows)(
    '%s grants permissions only to jobs with a timeout, pins its actions, and runs only scripts that exist',
    (file) => {
      const { output, issues } = v.safeParse(Workflow, parse(read(file)));
      expect(issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`)).toBeUndefined();
      const steps = Object.values(v.parse(Workflow, output).jobs).flatMap((job) => job.steps);
      const named = steps.flatMap(({ run }) => run?.match(/^\.ci\/[\w-]+/gm) ?? []);
      for (const script of named) expect(statSync(path.join(root, script)).mode & 0o111, script).not.toBe(0);
    },
  );

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

  test('every script of package.json is mentioned in the README, CONTRIBUTING.md or its pages', () => {
    const papers = `${contributing}\n${read('README.md')}`;
    const unnamed = Object.keys(SCRIPTS).filter(
      (name) => !papers.includes(`npm run ${name}`) && !papers.includes(`\`npm ${name}\``),
    );
    expect(unnamed).toEqual([]);
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
    const manifests = ['{action.yml,*/action.yml}', 'docs/examples/*.yml'];
    const files = filesIn('{src,scripts}/**/*.ts', '.github/**/*.yml', ...manifests);
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
