import { describe, expect, test } from 'vitest';
import { chooseProject } from '../../../src/preflight/preflight.ts';

const CHOSEN: readonly [string, Parameters<typeof chooseProject>, string][] = [
  ['the value of `project-id` if the token was not read', ['p1', undefined], 'p1'],
  ['the value of `project-id` if the token shows no project', ['p1', { projectId: undefined }], 'p1'],
  ['the value of `project-id` if the token shows the same project', ['p1', { projectId: 'p1' }], 'p1'],
  ['the project of the token if `project-id` is empty', [undefined, { projectId: 'p2' }], 'p2'],
];

const REFUSED: readonly [string, Parameters<typeof chooseProject>, RegExp, RegExp][] = [
  ['no input and no token', [undefined, undefined], /does not show which project/, /^Set `project-id`/],
  ['a token without a project', [undefined, { projectId: undefined }], /does not show/, /^Set `project-id`/],
  [
    'a token of another project',
    ['p1', { projectId: 'p2' }],
    /to project `p2`, but `project-id` is `p1`/,
    /^Fix or/,
  ],
  ['two dots as the project id', ['..', { projectId: undefined }], /not a valid id/, /^Copy the id/],
  ['two dots as the project id without a token', ['..', undefined], /not a valid id/, /^Copy the id/],
  [
    'two dots as the project id and a token of another project',
    ['..', { projectId: 'p2' }],
    /not a valid id/,
    /^Copy the id/,
  ],
  [
    'a project id of 257 characters',
    ['x'.repeat(257), { projectId: undefined }],
    /not a valid id/,
    /^Copy the id/,
  ],
];

describe('the project', () => {
  test.each(CHOSEN)('the project of a run is %s', (_which, asked, projectId) => {
    expect(chooseProject(...asked)).toEqual({ ok: true, value: projectId });
  });

  test.each(REFUSED)('chooseProject returns a configuration error for %s', (_why, asked, cause, nextStep) => {
    expect(chooseProject(...asked)).toEqual({
      ok: false,
      error: {
        reason: 'configuration',
        cause: expect.stringMatching(cause),
        nextStep: expect.stringMatching(nextStep),
      },
    });
  });
});
