import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { releaseNotes } from '../../scripts/changelog.ts';
import { read } from './code.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Something to come.

## [1.2.10] - 2026-03-01

### Added

- Ten.

## [1.2.1] - 2026-02-01

### Fixed

- One.

[1.2.1]: https://example.com/compare
`;

describe('the notes of a release', () => {
  test('the release notes are the changelog text below the heading of the release', () => {
    expect(releaseNotes('v1.2.10', '1.2.10', CHANGELOG)).toEqual({ ok: true, text: '### Added\n\n- Ten.' });
    expect(releaseNotes('v1.2.1', '1.2.1', CHANGELOG)).toEqual({ ok: true, text: '### Fixed\n\n- One.' });
  });

  test.each([
    ['1.2.1', '1.2.1', 'tagged vX.Y.Z'],
    ['v1.2', '1.2', 'tagged vX.Y.Z'],
    ['v1.2.1-rc.1', '1.2.1-rc.1', 'tagged vX.Y.Z'],
    ['v01.2.1', '01.2.1', 'tagged vX.Y.Z'],
    ['v1.2.1\nv9.9.9', '1.2.1', 'tagged vX.Y.Z'],
    ['', '1.2.1', 'tagged vX.Y.Z'],
    ['v1.2.1', '1.2.10', 'package.json says 1.2.10, the tag v1.2.1'],
    ['v1.3.0', '1.3.0', 'has no section [1.3.0]'],
  ])('the release notes are refused (tag: %j, version in package.json: %s)', (tag, version, says) => {
    expect(releaseNotes(tag, version, CHANGELOG)).toEqual({
      ok: false,
      fault: expect.stringContaining(says),
    });
  });

  test('the release notes are refused if the changelog has no date or no text for the release', () => {
    expect(releaseNotes('v1.0.0', '1.0.0', '## [1.0.0]\n\n- x\n')).toMatchObject({ ok: false });
    expect(releaseNotes('v1.0.0', '1.0.0', '## [1.0.0] - 2026-01-01\n\n## [0.9.0] - x\n- y\n')).toMatchObject(
      {
        ok: false,
      },
    );
  });

  test('the changelog gives release notes for the version of package.json and for the next version', () => {
    const [changelog, { version }] = [read('CHANGELOG.md'), manifest];
    const released = changelog.includes(`## [${version}]`)
      ? changelog
      : changelog.replace('## [Unreleased]\n', `## [${version}] - 2026-01-01\n`);
    expect(releaseNotes(`v${version}`, version, released)).toMatchObject({ ok: true });
    const next = changelog.replace('## [Unreleased]\n', '## [9.9.9] - 2026-01-01\n\n- Something to come.\n');
    expect(releaseNotes('v9.9.9', '9.9.9', next)).toMatchObject({ ok: true });
  });
});
