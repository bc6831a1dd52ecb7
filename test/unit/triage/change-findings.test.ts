import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import type { ApiError, Refused } from '../../../src/scan-api/api-error.ts';
import type { TriageApi } from '../../../src/scan-api/triage-api.ts';
import type { FindingNotes } from '../../../src/scan-api/wire-triage.ts';
import { changeFinding } from '../../../src/triage/change-findings.ts';

const URL = 'https://github.com/acme/shop/pull/7#issuecomment-50';
const CHANGE = { findingId: 'fnd_1', status: 'WONT_FIX', note: `- Comment: ${URL}` };
const operation = 'change the resolution of a finding';
const FORBIDDEN: Refused = {
  kind: 'refused',
  operation,
  status: 403,
  code: 'forbidden',
  message: '',
  retryAfterSeconds: undefined,
  tooFresh: false,
};
const CONFLICT: ApiError = { ...FORBIDDEN, status: 409, code: 'conflict' };
const LOST: ApiError = { kind: 'unreachable', operation, sent: 'unknown', cause: 'reset', detail: '' };
const NOT_SENT: ApiError = { kind: 'unreachable', operation, sent: 'no', cause: 'refused', detail: '' };
const WITH_NOTE: FindingNotes = { resolution: 'WONT_FIX', notes: ['Another.', CHANGE.note] };
const WITHOUT_NOTE: FindingNotes = { resolution: 'WONT_FIX', notes: ['Another.'] };
const UNREADABLE: FindingNotes = { resolution: 'WONT_FIX', notes: undefined };

type Sent = ApiError | 'done';
type Read = ApiError | FindingNotes;

async function changed(sends: readonly Sent[], reads: readonly Read[] = []) {
  const [toSend, toRead] = [[...sends], [...reads]];
  const { signal } = new AbortController();
  const asked: string[] = [];
  const slept: number[] = [];
  const api: TriageApi = {
    changeResolution: async (project, change, options) => {
      expect([project, change, options.signal]).toEqual(['prj_1', CHANGE, signal]);
      asked.push('send');
      const next = toSend.shift();
      if (next === undefined) throw new Error('sent too often');
      return next === 'done' ? ok(undefined) : err(next);
    },
    readNotes: async (project, findingId, options) => {
      expect([project, findingId, options.signal]).toEqual(['prj_1', 'fnd_1', signal]);
      asked.push('read');
      const next = toRead.shift();
      if (next === undefined) throw new Error('read too often');
      return 'kind' in next ? err(next) : ok(next);
    },
  };
  const clock = { sleep: async (ms: number) => void slept.push(ms) };
  const deps = { api, projectId: 'prj_1', clock, signal };
  return { result: await changeFinding(deps, CHANGE, URL), asked: asked.join(' '), slept };
}

describe('changeFinding', () => {
  test.each<[what: string, sends: readonly Sent[], reads: readonly Read[], result: object, asked: string]>([
    ['sends the new status once if the service answers', ['done'], [], { kind: 'changed', notes: 1 }, 'send'],
    [
      'sends the new status once if the service refuses the change',
      [FORBIDDEN],
      [],
      { kind: 'failed' },
      'send',
    ],
    ['reports a failure if the new status was never sent', [NOT_SENT], [], { kind: 'failed' }, 'send'],
    [
      'reports success after a lost answer if the finding has the note',
      [LOST],
      [WITH_NOTE],
      { kind: 'changed', notes: 1 },
      'send read',
    ],
    [
      'sends the new status again after a lost answer if the finding lacks the note',
      [LOST, 'done'],
      [WITHOUT_NOTE, WITH_NOTE],
      { kind: 'changed', notes: 1 },
      'send read send read',
    ],
    [
      'reports two notes if the finding has the note twice',
      [LOST, 'done'],
      [WITHOUT_NOTE, { ...WITH_NOTE, notes: [CHANGE.note, CHANGE.note] }],
      { kind: 'changed', notes: 2 },
      'send read send read',
    ],
    [
      'reports an unknown number of notes if the notes cannot be read',
      [LOST, 'done'],
      [WITHOUT_NOTE, UNREADABLE],
      { kind: 'changed', notes: undefined },
      'send read send read',
    ],
    [
      'reports an unknown number of notes if the finding has no note',
      [LOST, 'done'],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'changed', notes: undefined },
      'send read send read',
    ],
    [
      'sends the new status at most twice',
      [LOST, LOST],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'not-known' },
      'send read send read',
    ],
    [
      'sends the new status once if the notes cannot be read',
      [LOST],
      [UNREADABLE],
      { kind: 'not-known' },
      'send read',
    ],
    [
      'sends the new status once if the finding cannot be read',
      [LOST],
      [LOST],
      { kind: 'not-known' },
      'send read',
    ],
    [
      'reports that the finding does not have the new status',
      [LOST],
      [{ ...WITH_NOTE, resolution: 'IN_PROGRESS' }],
      { kind: 'other-status', shown: 'IN_PROGRESS' },
      'send read',
    ],
    [
      'sends the new status again after a conflict',
      [CONFLICT, 'done'],
      [WITHOUT_NOTE, WITH_NOTE],
      { kind: 'changed', notes: 1 },
      'send read send read',
    ],
    [
      'reports a failure after two conflicts',
      [CONFLICT, CONFLICT],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'failed' },
      'send read send read',
    ],
    [
      'reports a failure after a conflict if the notes cannot be read',
      [CONFLICT],
      [UNREADABLE],
      { kind: 'failed' },
      'send read',
    ],
    [
      'reports that the result is unknown if a refusal follows a lost answer',
      [LOST, FORBIDDEN],
      [WITHOUT_NOTE],
      { kind: 'not-known' },
      'send read send',
    ],
    [
      'reports that the result is unknown if a conflict follows a lost answer',
      [LOST, CONFLICT],
      [WITHOUT_NOTE, WITHOUT_NOTE],
      { kind: 'not-known' },
      'send read send read',
    ],
  ])('changeFinding %s', async (_what, sends, reads, result, asked) => {
    const ended = await changed(sends, reads);
    expect(ended.result).toMatchObject(result);
    expect(ended.asked).toBe(asked);
  });

  test('after a lost answer, changeFinding pauses before it reads the notes', async () => {
    expect((await changed([LOST], [WITH_NOTE])).slept).toEqual([3_000]);
    expect((await changed([CONFLICT], [WITH_NOTE])).slept).toEqual([]);
  });

  test.each(['redirect', 'oversize', 'wrong-shape', 'not-json'] as const)(
    'changeFinding treats an unexpected answer as lost (`%s`)',
    async (problem) => {
      const odd: ApiError = {
        kind: 'invalid',
        operation,
        status: 200,
        problem,
        detail: '',
        retryAfterSeconds: undefined,
      };
      expect((await changed([odd], [WITH_NOTE])).result).toEqual({ kind: 'changed', notes: 1 });
    },
  );
});
