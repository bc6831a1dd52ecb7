import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEnvironment } from '../../sandbox/environment.ts';
import { readActionManifest } from '../../sandbox/runner/action-manifest.ts';
import { runAction } from '../../sandbox/runner/run-action.ts';
import {
  archiveFacts,
  differingFiles,
  packArchive,
  unpackArchive,
} from '../../scripts/bench/archive-facts.ts';
import { ACTIONS, bundleFacts } from '../../scripts/bench/bundle-facts.ts';
import { MOST_ARCHIVE_BYTES, MOST_ARCHIVE_ENTRIES } from '../../scripts/bench/goals.ts';
import { openRepository } from '../scenarios/repository.ts';

/** Files for people who look into the archive. */
const PAGES = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'];

describe('the archive that a runner fetches', () => {
  let folder = '';
  let packed = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'scangate-archive-'));
    packed = packArchive(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the archive of a tag contains exactly the actions, their bundles and the pages for users', async () => {
    const { entries } = await bundleFacts();
    const bundles = entries.map(({ entry }) => path.posix.dirname(path.posix.normalize(entry)));
    const files = [
      ...PAGES,
      ...ACTIONS.map((action) => path.posix.join(action, 'action.yml')),
      'dist/licenses.txt',
      ...bundles.flatMap((bundle) => ['index.js', 'package.json'].map((file) => `${bundle}/${file}`)),
    ];
    const folders = new Set(files.map((file) => path.posix.dirname(file)).filter((name) => name !== '.'));
    expect(archiveFacts(packed).entries).toEqual([...files, ...folders].sort());
  });

  test('the archive of a tag is small', () => {
    const { packedBytes, entries } = archiveFacts(packed);
    expect(packedBytes).toBeLessThanOrEqual(MOST_ARCHIVE_BYTES);
    expect(entries.length).toBeLessThanOrEqual(MOST_ARCHIVE_ENTRIES);
  });

  test('the comparison of archives finds an added file, a missing file and a changed byte', () => {
    const [own, served] = ['own', 'served'].map((name) => unpackArchive(packed, path.join(folder, name)));
    if (own === undefined || served === undefined) throw new Error('nothing was unpacked');
    expect(differingFiles(own, served)).toEqual([]);
    writeFileSync(path.join(served, 'dist/more.js'), '');
    rmSync(path.join(served, 'LICENSE'));
    appendFileSync(path.join(served, 'dist/index.js'), ' ');
    expect(differingFiles(own, served)).toEqual(['LICENSE', 'dist/index.js', 'dist/more.js']);
  });

  test('the archive of a tag contains everything that `main`, `post` and the sub-actions need to run', async () => {
    const unpacked = unpackArchive(packed, path.join(folder, 'unpacked'));
    const repository = await openRepository();
    const environment = await createEnvironment({
      directory: repository.dir,
      headSha: repository.id('vulnerable'),
      service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    });
    const described = environment.describeRun();
    try {
      for (const action of ACTIONS) {
        const actionDirectory = path.join(unpacked, action);
        const { outputs, post } = await readActionManifest(actionDirectory);
        const run = await runAction({ ...described, actionDirectory });
        expect(run.stderr, run.log).toBe('');
        // Each output is written at the end of a run, whatever the result.
        expect(Object.keys(run.outputs), run.log).toEqual(expect.arrayContaining([...outputs]));
        if (action === '.') expect(run.outputs['outcome'], run.log).toBe('blocked');
        if (post === undefined) continue;
        const ended = await runAction({ ...described, actionDirectory, step: 'post', state: run.state });
        expect(ended, ended.log).toMatchObject({ exitCode: 0, stderr: '' });
      }
    } finally {
      await environment.close();
    }
  });
});
