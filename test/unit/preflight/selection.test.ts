import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MalformedEntry, Preset, ProjectRepository } from '../../../src/domain/project.ts';
import { chooseBudget, choosePreset, chooseRepository } from '../../../src/preflight/choose.ts';

const repository = (id: string, extra: Partial<ProjectRepository> = {}): ProjectRepository => ({
  id,
  owner: 'Acme',
  name: 'Shop',
  url: 'https://github.com/Acme/Shop',
  status: 'ACTIVE',
  readiness: 'ready',
  ...extra,
});
const wanted = { repositoryId: undefined, owner: 'acme', name: 'shop', serverUrl: 'https://github.com' };
const preset = (ref: string, name = 'Name', minCredits = 10): Preset => ({ ref, name, minCredits });
const FAULT = '`list.7.member` is missing';
const malformed = <Entry>(readable: MalformedEntry<Entry>['readable']): MalformedEntry<Entry> => ({
  fault: FAULT,
  readable,
});

describe('the repository', () => {
  test('the search for a repository ignores the case of its name', () => {
    const all = [repository('a', { name: 'other' }), repository('b')];
    expect(chooseRepository(all, wanted)).toMatchObject({ ok: true, value: { id: 'b' } });
  });

  test('the input `repository-id` chooses a repository by id, even if the repository has another name', () => {
    const all = [repository('a', { name: 'other' }), repository('b')];
    expect(chooseRepository(all, { ...wanted, repositoryId: 'a' })).toMatchObject({
      ok: true,
      value: { id: 'a' },
    });
  });

  test.each([
    'https://github.com/Acme/Shop.git',
    'https://GITHUB.com/acme/shop',
    'git@github.com:Acme/Shop.git',
    'ssh://git@github.com/Acme/Shop',
  ])(
    'of several repositories with the same name, the one on this GitHub server is chosen (address %s)',
    (url) => {
      const all = [repository('a', { url: 'https://git.acme.test/Acme/Shop' }), repository('b', { url })];
      expect(chooseRepository(all, wanted)).toMatchObject({ ok: true, value: { id: 'b' } });
    },
  );

  test.each([
    ['both on this server', ['https://github.com/a', 'https://github.com/b']],
    ['none on this server', ['https://one.test', 'not an address']],
    ['servers with a similar address', ['https://github.com.evil.test/a', 'https://evil.test/github.com']],
  ])('no repository is chosen among several with the same name (%s)', (_name, [first = '', second = '']) => {
    const answer = chooseRepository(
      [repository('a1', { url: first }), repository('b2', { url: second })],
      wanted,
    );
    expect(answer).toMatchObject({ ok: false, error: { reason: 'configuration' } });
    expect(!answer.ok && answer.error.nextStep).toMatch(/`repository-id`.*a1.*b2/);
  });

  test.each([
    ['name', undefined],
    ['id', 'gone'],
  ])(
    'the error about a missing repository lists two possible causes (search by %s)',
    (_name, repositoryId) => {
      const answer = chooseRepository([repository('a', { name: 'other' })], { ...wanted, repositoryId });
      expect(!answer.ok && answer.error.reason).toBe('configuration');
      expect(!answer.ok && answer.error.nextStep).toMatch(
        /project admin.*add it to the project.*allowlist.*`repository-id`/,
      );
    },
  );

  test.each([
    [[repository('b')], 'Use one of: b (https://github.com/Acme/Shop).'],
    [
      [repository('b'), repository('c', { url: 'https://git.acme.test/Acme/Shop' })],
      'Use one of: b (https://github.com/Acme/Shop), c (https://git.acme.test/Acme/Shop).',
    ],
  ])('the error about an unknown `repository-id` names the ids of this repository (%#)', (same, ids) => {
    const all = [repository('a', { name: 'other' }), ...same];
    expect(chooseRepository(all, { ...wanted, repositoryId: 'gone' })).toEqual({
      ok: false,
      error: {
        reason: 'configuration',
        cause: 'The project does not list the repository `gone`.',
        nextStep: `Set \`repository-id\` in the workflow and push. ${ids}`,
      },
    });
  });

  test('the repository has to be ACTIVE, but does not have to be ready', () => {
    const marked = chooseRepository([repository('a', { status: 'MARKED_FOR_DELETION' })], wanted);
    expect(!marked.ok && marked.error.cause).toContain('MARKED_FOR_DELETION');
    expect(chooseRepository([repository('a', { readiness: 'analyzing' })], wanted).ok).toBe(true);
  });

  test.each([
    ['nothing readable', {}],
    ['another name', { id: 'x', owner: 'acme', name: 'other' }],
    ['another owner', { id: 'x', owner: 'other', name: 'shop' }],
    ['another name and nothing else', { name: 'other' }],
    ['another owner and nothing else', { owner: 'other' }],
    ['an id and nothing else', { id: 'x' }],
  ])('the repository is found even if the list has a malformed entry with %s', (_what, readable) => {
    const all = [malformed<ProjectRepository>(readable), repository('b')];
    expect(chooseRepository(all, wanted)).toMatchObject({ ok: true, value: { id: 'b' } });
    expect(chooseRepository(all, { ...wanted, repositoryId: 'b' })).toMatchObject({ value: { id: 'b' } });
  });

  test.each([
    ['the same name', { id: 'x', owner: 'ACME', name: 'shop' }],
    ['the same name and an unreadable owner', { id: 'x', name: 'Shop' }],
    ['the same owner and an unreadable name', { owner: 'acme' }],
  ])('no repository is chosen if the list has a malformed entry with %s', (_what, readable) => {
    const all = [repository('b'), malformed<ProjectRepository>(readable)];
    for (const entries of [all, all.toReversed(), all.slice(1)]) {
      const answer = chooseRepository(entries, wanted);
      expect(answer).toMatchObject({
        ok: false,
        error: {
          reason: 'service-error',
          cause: expect.stringContaining(FAULT),
          nextStep: expect.stringContaining('`repository-id`'),
        },
      });
    }
    expect(chooseRepository(all, { ...wanted, repositoryId: 'b' })).toMatchObject({ value: { id: 'b' } });
  });

  test('if the entry for the input `repository-id` is malformed, the error names the malformed member', () => {
    const entry = malformed<ProjectRepository>({ id: 'b', owner: 'other', name: 'other' });
    for (const entries of [[entry], [repository('a'), entry], [repository('b'), entry]]) {
      expect(chooseRepository(entries, { ...wanted, repositoryId: 'b' })).toMatchObject({
        ok: false,
        error: { reason: 'service-error', cause: expect.stringContaining(FAULT) },
      });
    }
  });

  test('the error about a missing repository lists unreadable entries', () => {
    const entries = [malformed<ProjectRepository>({}), repository('a', { name: 'other' })];
    for (const repositoryId of [undefined, 'gone']) {
      expect(chooseRepository(entries, { ...wanted, repositoryId })).toMatchObject({
        ok: false,
        error: { reason: 'configuration', cause: expect.stringContaining(FAULT) },
      });
    }
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
});

describe('the preset', () => {
  test.each(['diff', 'DIFF', 'pr-diff', 'diff_v2', 'Diff2', 'quick diff scan', '(diff)'])(
    'a preset with the ref or name %j is a diff preset',
    (word) => {
      expect(choosePreset([preset('full'), preset(word)], undefined)).toMatchObject({
        ok: true,
        value: { ref: word },
      });
      expect(choosePreset([preset('full'), preset('x', word)], undefined)).toMatchObject({
        ok: true,
        value: { ref: 'x' },
      });
    },
  );

  test.each(['different', 'diffs', 'subdiff', 'ädiff', 'diffё'])(
    'a preset with the ref and name %j is not a diff preset',
    (word) => {
      const answer = choosePreset([preset(word, word)], undefined);
      expect(!answer.ok && answer.error.nextStep).toContain(word);
    },
  );

  test('the error lists all presets that fit a diff scan if there are several', () => {
    const answer = choosePreset(
      [preset('diff-a'), preset('diff-b'), preset('full', 'Everything')],
      undefined,
    );
    expect(answer).toMatchObject({ ok: false, error: { reason: 'configuration' } });
    expect(!answer.ok && answer.error.nextStep).toMatch(/`preset`.*diff-a.*diff-b.*full \(Everything\)/);
  });

  test.each(['diff', 'full'] as const)(
    'if the project has no presets, the error of a %s scan asks for one, because no ref can be set',
    (kind) => {
      for (const ref of [undefined, 'diff-a']) {
        const answer = choosePreset([], ref, kind);
        expect(!answer.ok && answer.error.nextStep).toBe(
          'Ask a project admin of the service to add one, then re-run this job.',
        );
      }
    },
  );

  test('the input `preset` chooses the preset by its exact ref', () => {
    const all = [preset('diff-a'), preset('full')];
    expect(choosePreset(all, 'full')).toMatchObject({ ok: true, value: { ref: 'full' } });
    const missing = choosePreset(all, 'FULL');
    expect(!missing.ok && missing.error.cause).toContain('FULL');
    expect(!missing.ok && missing.error.nextStep).toContain('diff-a');
  });

  test.each([
    ['nothing readable', {}],
    ['another ref', { ref: 'full' }],
    ['another ref and name', { ref: 'different', name: 'Full' }],
    ['another name', { name: 'Full' }],
  ])(
    'the preset of a diff scan is found even if the list has a malformed entry with %s',
    (_what, readable) => {
      const all = [malformed<Preset>(readable), preset('diff-a')];
      expect(choosePreset(all, undefined)).toMatchObject({ ok: true, value: { ref: 'diff-a' } });
      expect(choosePreset(all, 'diff-a')).toMatchObject({ ok: true, value: { ref: 'diff-a' } });
    },
  );

  test.each([
    ['the ref of a diff preset', { ref: 'diff-b' }],
    ['the name of a diff preset', { ref: 'deep', name: 'Deep diff' }],
    ['the name of a diff preset and an unreadable ref', { name: 'Deep diff' }],
  ])('no preset is chosen if the list has a malformed entry with %s', (_what, readable) => {
    const all = [preset('diff-a'), malformed<Preset>(readable)];
    for (const entries of [all, all.toReversed(), all.slice(1)]) {
      expect(choosePreset(entries, undefined)).toMatchObject({
        ok: false,
        error: {
          reason: 'service-error',
          cause: expect.stringContaining(FAULT),
          nextStep: expect.stringContaining('`preset`'),
        },
      });
    }
    expect(choosePreset(all, 'diff-a')).toMatchObject({ ok: true, value: { ref: 'diff-a' } });
  });

  test('if the entry for the input `preset` is malformed, the error names the malformed member', () => {
    const entry = malformed<Preset>({ ref: 'full' });
    for (const entries of [[entry], [preset('diff-a'), entry], [preset('full'), entry]]) {
      expect(choosePreset(entries, 'full')).toMatchObject({
        ok: false,
        error: { reason: 'service-error', cause: expect.stringContaining(FAULT) },
      });
    }
  });

  test('the error about a missing preset lists unreadable entries', () => {
    for (const ref of [undefined, 'gone']) {
      expect(choosePreset([malformed<Preset>({ name: 'Full' }), preset('full')], ref)).toMatchObject({
        ok: false,
        error: { reason: 'configuration', cause: expect.stringContaining(FAULT) },
      });
    }
  });

  test('the preset of a diff scan is chosen only if exactly one preset fits', () => {
    const word = fc.constantFrom('diff', 'Diff', 'full', 'different', 'a-diff');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 5 }), (rows) => {
        const fitting = rows.filter((row) => row.some((text) => /^(?:diff|a-diff)$/i.test(text)));
        expect(
          choosePreset(
            rows.map(([ref, name]) => preset(ref, name)),
            undefined,
          ).ok,
        ).toBe(fitting.length === 1);
      }),
    );
  });

  test('the error about presets shortens a long list, and stays on one line', () => {
    const many = Array.from({ length: 25 }, (_, index) => preset(`p${index}\n::error::x`));
    const answer = choosePreset(many, undefined);
    expect(!answer.ok && answer.error.nextStep).toMatch(/and 5 more/);
    expect(!answer.ok && answer.error.nextStep).not.toContain('\n');
  });
});

describe('the preset of a full scan', () => {
  const choose = (presets: Parameters<typeof choosePreset>[0], ref?: string) =>
    choosePreset(presets, ref, 'full');

  test.each([
    ['empty', undefined],
    ['`full`', 'full'],
  ])(
    'the preset of a full scan is the only preset that is not a diff preset (input `preset`: %s)',
    (_input, ref) => {
      const all = [preset('diff-a'), preset('full', 'Everything'), preset('b', 'Deep diff')];
      expect(choose(all, ref)).toMatchObject({ ok: true, value: { ref: 'full' } });
    },
  );

  test.each([
    [
      'several possible presets',
      [preset('full'), preset('deep'), preset('diff')],
      /^The project has 2 presets that do not look/,
    ],
    ['only a diff preset', [preset('diff')], /^The project has no preset besides diff presets\.$/],
  ])('no preset of a full scan is chosen if the project has %s', (_what, presets, cause) => {
    expect(choose(presets)).toMatchObject({
      error: {
        reason: 'configuration',
        cause: expect.stringMatching(cause),
        nextStep: expect.stringMatching(/`preset`.*diff \(/),
      },
    });
  });

  test.each(['diff', 'quick'])(
    'a full scan never uses a diff preset, even if the input `preset` is `%s`',
    (ref) => {
      expect(choose([preset('full'), preset('diff'), preset('quick', 'Quick diff')], ref)).toMatchObject({
        error: {
          reason: 'configuration',
          cause: expect.stringContaining(ref),
          nextStep: expect.stringMatching(/a preset of another kind.*full/),
        },
      });
    },
  );

  test('no preset of a full scan is chosen if a malformed entry may be another preset of a full scan', () => {
    for (const readable of [{ ref: 'deep' }, { name: 'Deep' }]) {
      expect(choose([preset('full'), malformed<Preset>(readable)])).toMatchObject({
        error: { reason: 'service-error', nextStep: expect.stringContaining('preset for full scans') },
      });
    }
    for (const readable of [{}, { ref: 'diff-b' }]) {
      expect(choose([preset('full'), malformed<Preset>(readable)])).toMatchObject({ value: { ref: 'full' } });
    }
  });
});

describe('the budget', () => {
  test.each([
    ['the minimum of the preset if `credit-budget` is empty', undefined, 10, 10],
    ['undefined if `credit-budget` is empty and the minimum is 0', undefined, 0, undefined],
    ['the value of `credit-budget` if the value equals the minimum', 10, 10, 10],
    ['the value of `credit-budget` if the value is above the minimum', 50, 10, 50],
    ['the value of `credit-budget` if the minimum is 0', 5, 0, 5],
  ])('the budget is %s', (_which, asked, minimum, budget) => {
    expect(chooseBudget(asked, preset('p', 'P', minimum))).toEqual({ ok: true, value: budget });
  });

  test('a value of `credit-budget` below the minimum is refused', () => {
    const answer = chooseBudget(9, preset('p', 'P', 10));
    expect(answer).toMatchObject({ ok: false, error: { reason: 'configuration' } });
    expect(!answer.ok && answer.error.nextStep).toMatch(/`credit-budget`.*10/);
  });
});
