import { expect, test } from 'vitest';
import {
  changesUnscannedOnly,
  createFixtureRepository,
  HEADS,
  mergeBaseName,
  TIPS,
  UNSCANNED,
} from './histories/fixture-repository.ts';

test('git confirms the merge bases and the changed files that the histories assume', async () => {
  const repository = await createFixtureRepository();
  try {
    for (const tip of Object.values(TIPS).flat()) {
      for (const head of HEADS) {
        const base = mergeBaseName(tip, head);
        const found = await repository.git('merge-base', '--all', repository.id(tip), repository.id(head));
        expect(found, `${tip} and ${head}`).toBe(repository.id(base));
      }
    }
    for (const base of ['start', 'stack']) {
      for (const head of HEADS.filter((name) => mergeBaseName(base, name) === base)) {
        const changed = await repository.git('diff', '--name-only', repository.id(base), repository.id(head));
        const files = changed === '' ? [] : changed.split('\n');
        const only = files.length > 0 && files.every((file) => file.startsWith(UNSCANNED));
        expect(changesUnscannedOnly(base, head), `${base} to ${head}`).toBe(only);
      }
    }
  } finally {
    await repository.remove();
  }
});
