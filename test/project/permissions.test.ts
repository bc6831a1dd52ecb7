import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../sandbox/github/routes.ts';
import { scopeFaults } from '../../src/preflight/token-check.ts';
import { read } from './code.ts';
import { permissionsIn } from './documented-yaml.ts';
import { codeSpansOf, rowsOf } from './documents.ts';
import { copiedYaml } from './examples.ts';

const GRANT = /^(?<name>[a-z-]+): (?<access>read|write)$/;

const rows = rowsOf(read('docs/permissions.md'));
const features = rows.filter(({ header }) => header[0] === 'feature').map(({ cells }) => cells);
const grantsIn = (cell = '') => codeSpansOf(cell).filter((span) => GRANT.test(span));
const named = new Set(features.flatMap(([, cell]) => grantsIn(cell)));

describe('docs/permissions.md', () => {
  test('docs/permissions.md names exactly the permissions of all workflows that users copy', () => {
    const copied = new Set(copiedYaml().flatMap(([, text]) => permissionsIn(text)));
    expect([...copied].sort()).toEqual([...named].sort());
  });

  test('docs/permissions.md names a permission for each request to GitHub that needs one', () => {
    const needs = ROUTES.filter(({ need }) => !need.anyOf.includes('metadata')).map(({ point, need }) => ({
      point,
      grants: need.anyOf.flatMap((name) =>
        need.access === 'read' ? [`${name}: read`, `${name}: write`] : [`${name}: write`],
      ),
    }));
    expect(needs.length).toBeGreaterThan(10);
    const unnamed = needs.filter(({ grants }) => !grants.some((grant) => named.has(grant)));
    expect(unnamed.map(({ point }) => point)).toEqual([]);
  });

  test('docs/permissions.md names exactly the scopes that the token needs', () => {
    const faults = scopeFaults(
      { projectId: undefined, scopes: [], expiresAt: undefined, spendLimit: undefined },
      true,
    );
    const needed = faults.map(({ cause }) => codeSpansOf(cause)[0]);
    const scopes = new Set(features.flatMap(([, , cell = '']) => codeSpansOf(cell)));
    expect([...scopes].sort()).toEqual([...needed].sort());
  });

  test('docs/permissions.md says what fails without each permission of the gate', () => {
    const without = rows.filter(({ header }) => header[0] === 'permission').map(({ cells }) => cells);
    const ofOthers = [
      'actions: read',
      'actions: write',
      'security-events: write',
      'checks: read',
      'issues: write',
    ];
    const own = [...named].filter((grant) => !ofOthers.includes(grant));
    expect(without.flatMap(([cell]) => grantsIn(cell)).sort()).toEqual(own.sort());
  });
});
