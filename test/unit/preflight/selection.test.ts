import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListEntry, MalformedEntry, Preset, ProjectRepository } from '../../../src/domain/project.ts';
import type { NotScanned, Result } from '../../../src/domain/result.ts';
import { chooseBudget, choosePreset, chooseRepository } from '../../../src/preflight/choose.ts';
import { chooseProject } from '../../../src/preflight/preflight.ts';

const wanted = { repositoryId: undefined, owner: 'acme', name: 'shop', serverUrl: 'https://github.com' };
const preset = (ref: string, name = 'Name', minCredits = 10): Preset => ({ ref, name, minCredits });
const repository = (id: string, extra: Partial<ProjectRepository> = {}): ProjectRepository => ({
  id,
  owner: 'Acme',
  name: 'Shop',
  url: 'https://github.com/Acme/Shop',
  status: 'ACTIVE',
  readiness: 'ready',
  ...extra,
});
const malformed = <Entry>(readable: MalformedEntry<Entry>['readable']): MalformedEntry<Entry> => ({
  fault: '`list.7.member` is missing',
  readable,
});

/** Shows what is chosen, or why nothing is. */
function shown<T>(result: Result<T, NotScanned>, name: (value: T) => string): string {
  if (result.ok) return name(result.value);
  const { reason, cause, nextStep } = result.error;
  return `${reason}: ${cause} ${nextStep}`;
}

async function expectGolden(name: string, rows: readonly (readonly [what: string, chosen: string])[]) {
  const lines = rows.map(([what, chosen]) => `${what}: ${chosen}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
}

const OTHER = repository('a', { name: 'other' });
const SHOP = repository('b');
const on = (...urls: readonly string[]) => urls.map((url, index) => repository(`r${index + 1}`, { url }));
const ELSEWHERE = 'https://git.acme.test/Acme/Shop';
const broken = (readable: MalformedEntry<ProjectRepository>['readable']) => [
  malformed<ProjectRepository>(readable),
  SHOP,
];

const MALFORMED_REPOSITORIES = [{}, { owner: 'ACME' }, { owner: 'other' }].flatMap((owner) =>
  [{}, { name: 'Shop' }, { name: 'other' }].map((name) => ({ ...owner, ...name })),
);

/** The list of the service, and the input `repository-id`. */
const REPOSITORIES: Readonly<
  Record<string, readonly [list: readonly ListEntry<ProjectRepository>[], id?: string]>
> = {
  'the name in another case': [[OTHER, SHOP]],
  'the input names another repository': [[OTHER, SHOP], 'a'],
  'the name on two servers, ours with `.git`': [on(ELSEWHERE, 'https://github.com/Acme/Shop.git')],
  'the name on two servers, ours in capitals': [on(ELSEWHERE, 'https://GITHUB.com/acme/shop')],
  'the name on two servers, ours by SSH': [on(ELSEWHERE, 'git@github.com:Acme/Shop.git')],
  'the name on two servers, ours by an address of SSH': [on(ELSEWHERE, 'ssh://git@github.com/Acme/Shop')],
  'the name twice on this server': [on('https://github.com/a', 'https://github.com/b')],
  'the name twice on other servers': [on('https://one.test', 'not an address')],
  'the name on servers with a similar address': [
    on('https://github.com.evil.test/a', 'https://evil.test/github.com'),
  ],
  'another name': [[OTHER]],
  'another id': [[OTHER], 'gone'],
  'another id, and the name': [[OTHER, SHOP], 'gone'],
  'another id, and the name on two servers': [[OTHER, SHOP, repository('c', { url: ELSEWHERE })], 'gone'],
  'a repository that is marked for deletion': [[repository('a', { status: 'MARKED_FOR_DELETION' })]],
  'a repository that is not ready': [[repository('a', { readiness: 'analyzing' })]],
  ...Object.fromEntries(
    MALFORMED_REPOSITORIES.map((readable) => [
      `a malformed entry ${JSON.stringify(readable)}`,
      [broken(readable)],
    ]),
  ),
  'a malformed entry of the name alone': [[malformed({ id: 'x', owner: 'ACME', name: 'shop' })]],
  'a malformed entry of the name, and the input': [broken({ owner: 'acme', name: 'shop' }), 'b'],
  'the input names a malformed entry': [broken({ id: 'x', owner: 'other', name: 'other' }), 'x'],
  'the input names a malformed and a sound entry': [broken({ id: 'b', owner: 'other', name: 'other' }), 'b'],
  'another name, and a malformed entry': [[malformed({}), OTHER]],
  'another id, and a malformed entry': [[malformed({}), OTHER], 'gone'],
};

test('the chosen repository, or the error, equals the golden file in any order of the list', async () => {
  const choose = (list: readonly ListEntry<ProjectRepository>[], repositoryId?: string) =>
    shown(chooseRepository(list, { ...wanted, repositoryId }), ({ id }) => id);
  const rows = Object.entries(REPOSITORIES).map(([what, [list, id]]) => {
    expect(choose(list.toReversed(), id).split('.')[0], what).toBe(choose(list, id).split('.')[0]);
    return [what, choose(list, id)] as const;
  });
  await expectGolden('repository', rows);
});

test('no repository is chosen if two fit equally well', () => {
  const some = fc.array(
    fc.record({
      owner: fc.constantFrom('acme', 'ACME', 'other'),
      name: fc.constantFrom('shop', 'Shop', 'other'),
      url: fc.constantFrom('https://github.com/x', 'https://elsewhere.test/x', ''),
    }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(some, (rows) => {
      const all = rows.map((row, index) => repository(`r${index}`, row));
      const answer = chooseRepository(all, wanted);
      expect(chooseRepository(all.toReversed(), wanted).ok).toBe(answer.ok);
      const same = all.filter((r) => r.owner.toLowerCase() === 'acme' && r.name.toLowerCase() === 'shop');
      const here = same.filter((r) => r.url.startsWith('https://github.com/'));
      const [only] = same.length === 1 ? same : here.length === 1 ? here : [];
      expect(answer.ok ? answer.value : undefined).toBe(only);
    }),
  );
});

const DIFF_A = preset('diff-a');
const FULL = preset('full', 'Everything');
const beside =
  (sound: Preset) =>
  (readable: MalformedEntry<Preset>['readable']): readonly ListEntry<Preset>[] => [
    malformed(readable),
    sound,
  ];
const besideDiff = beside(DIFF_A);
const besideFull = beside(FULL);

const MALFORMED_PRESETS = [{}, { ref: 'full' }, { ref: 'diff-b' }].flatMap((ref) =>
  [{}, { name: 'Full' }, { name: 'Deep diff' }].map((name) => ({ ...ref, ...name })),
);

/** The kind of the scan, the list of the service, and the input `preset`. */
const PRESETS: Readonly<
  Record<string, readonly [kind: 'diff' | 'full', list: readonly ListEntry<Preset>[], ref?: string]>
> = {
  'several diff presets': ['diff', [DIFF_A, preset('diff-b'), FULL]],
  'no preset': ['diff', []],
  'no preset, and the input': ['diff', [], 'diff-a'],
  'no preset for a full scan, and the input': ['full', [], 'diff-a'],
  'the input': ['diff', [DIFF_A, FULL], 'full'],
  'the input in another case': ['diff', [DIFF_A, FULL], 'FULL'],
  'a malformed diff preset, and the input': ['diff', besideDiff({ ref: 'diff-b' }), 'diff-a'],
  'the input names a malformed entry': ['diff', besideDiff({ ref: 'full' }), 'full'],
  'the input names a malformed and a sound entry': ['diff', besideFull({ ref: 'full' }), 'full'],
  'no diff preset, and a malformed entry': ['diff', besideFull({ name: 'Full' })],
  'another ref, and a malformed entry': ['diff', besideFull({ name: 'Full' }), 'gone'],
  'a list of 25 presets with line breaks': [
    'diff',
    Array.from({ length: 25 }, (_, index) => preset(`p${index}\n::error::x`)),
  ],
  'a full scan': ['full', [DIFF_A, FULL, preset('b', 'Deep diff')]],
  'a full scan, by the input': ['full', [DIFF_A, FULL], 'full'],
  'a full scan with several possible presets': ['full', [FULL, preset('deep'), DIFF_A]],
  'a full scan with only a diff preset': ['full', [DIFF_A]],
  'a full scan, where the input names a diff preset': ['full', [FULL, DIFF_A], 'diff-a'],
  'a full scan, where the input names a diff preset by its name': [
    'full',
    [FULL, preset('quick', 'Quick diff')],
    'quick',
  ],
  ...Object.fromEntries(
    MALFORMED_PRESETS.flatMap((readable) => [
      [`a malformed entry ${JSON.stringify(readable)}`, ['diff', besideDiff(readable)]],
      [`a full scan, and a malformed entry ${JSON.stringify(readable)}`, ['full', besideFull(readable)]],
    ]),
  ),
};

test('the chosen preset, or the error, equals the golden file in any order of the list', async () => {
  const choose = (...[kind, list, ref]: readonly ['diff' | 'full', readonly ListEntry<Preset>[], string?]) =>
    shown(choosePreset(list, ref, kind), ({ ref }) => ref);
  const rows = Object.entries(PRESETS).map(([what, [kind, list, ref]]) => {
    const reversed = choose(kind, list.toReversed(), ref);
    expect(reversed.split('.')[0], what).toBe(choose(kind, list, ref).split('.')[0]);
    return [what, choose(kind, list, ref)] as const;
  });
  await expectGolden('preset', rows);
});

test('a preset is a diff preset if "diff" is a word of its ref or name', () => {
  const isDiff = (word: string) => {
    const found = [preset(word), preset('x', word)].map((one) => choosePreset([FULL, one], undefined).ok);
    expect(new Set(found).size).toBe(1);
    return found[0];
  };
  const diffs = ['diff', 'DIFF', 'pr-diff', 'diff_v2', 'Diff2', 'quick diff scan', '(diff)'];
  expect(diffs.filter((word) => !isDiff(word))).toEqual([]);
  expect(['different', 'diffs', 'subdiff', 'ädiff', 'diffё'].filter(isDiff)).toEqual([]);
});

test('the budget is `credit-budget`, or the minimum of the preset', async () => {
  const asked = [undefined, 9, 10, 50].flatMap((credits) =>
    [10, 0].map((minimum) => [credits, minimum] as const),
  );
  const rows = asked.map(([credits, minimum]) => {
    const budget = chooseBudget(credits, preset('p', 'P', minimum));
    return [`${credits} asked, minimum ${minimum}`, shown(budget, String)] as const;
  });
  await expectGolden('budget', rows);
});

test('the project is `project-id`, or the project of the token', async () => {
  const asked: readonly Parameters<typeof chooseProject>[] = [
    ...[undefined, { projectId: undefined }, { projectId: 'p1' }, { projectId: 'p2' }].flatMap(
      (token): Parameters<typeof chooseProject>[] => [
        ['p1', token],
        [undefined, token],
        ['..', token],
      ],
    ),
    ['x'.repeat(257), { projectId: undefined }],
  ];
  const rows = asked.map(([input, token]) => {
    const given = `project-id ${input?.slice(0, 10)}, token ${token === undefined ? 'not read' : `of ${token.projectId}`}`;
    return [given, shown(chooseProject(input, token), (id) => id)] as const;
  });
  await expectGolden('project', rows);
});
