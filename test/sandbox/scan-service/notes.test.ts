import { describe, expect, it } from 'vitest';
import { at, type Harness, refused, start, textAt } from './harness.ts';

const FINDINGS = '/projects/{project}/findings';

/** Starts a service with one completed scan. Returns the ids of two findings of the scan. */
async function scanned() {
  const harness = await start();
  await harness.finish(await harness.launch());
  const [id = '', other = ''] = harness.service.scans()[0]?.findingIds ?? [];
  return { ...harness, id, other };
}

async function notesOf({ call }: Pick<Harness, 'call'>, id: string): Promise<unknown> {
  return at((await call('GET', `${FINDINGS}/${id}`)).body, 'finding', 'notes');
}

describe('a note', () => {
  it('the service stores the exact text of a note', async () => {
    const harness = await scanned();
    const { call, id } = harness;
    const content = '**Looked at it.** <b>&amp;</b>\n\n- @team';
    const reply = await call('POST', `${FINDINGS}/${id}/notes`, { content });
    expect(reply).toMatchObject({ status: 201, body: { note: { content, pinned: false } } });
    expect(Number.isNaN(Date.parse(textAt(reply.body, 'note', 'createdAt')))).toBe(false);
    expect((await call('POST', `${FINDINGS}/ZK-${id.slice(-8)}/notes`, { content: ' ' })).status).toBe(201);
    expect((await call('POST', `${FINDINGS}/${id.slice(-8)}/notes`, { content: '3' })).status).toBe(201);
    const notes = await notesOf(harness, id);
    expect(notes).toMatchObject([{ content }, { content: ' ' }, { content: '3' }]);
    const ids = [0, 1, 2].map((index) => textAt(notes, index, 'noteId'));
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe(textAt(reply.body, 'note', 'noteId'));
  });

  it.each([[{}], [{ content: '' }], [{ content: 1 }], [{ content: null }], [{ content: ['x'] }]])(
    'an invalid note gets 400, and is not stored: %j',
    async (body) => {
      const harness = await scanned();
      const reply = await harness.call('POST', `${FINDINGS}/${harness.id}/notes`, body);
      expect(reply).toMatchObject(refused(400, 'bad_request'));
      expect(await notesOf(harness, harness.id)).toEqual([]);
    },
  );

  it('a note gets 404 for an unknown finding, and 409 for an ambiguous label', async () => {
    const { call } = await scanned();
    const note = { content: 'x' };
    expect(await call('POST', `${FINDINGS}/nothing/notes`, note)).toMatchObject(refused(404, 'not_found'));
    const twins = await start({ findingId: (hash) => `${hash.slice(0, 10)}-aaaaaaaa` });
    await twins.finish(await twins.launch());
    for (const path of ['ZK-aaaaaaaa/notes', 'aaaaaaaa/notes/x/pin']) {
      expect(await twins.call('POST', `${FINDINGS}/${path}`, { ...note, kind: 'resolution' })).toMatchObject(
        refused(409, 'conflict'),
      );
    }
  });
});

describe('pinning', () => {
  it('a finding shows only the note as pinned that was pinned last', async () => {
    const harness = await scanned();
    const { call, id } = harness;
    const noteIds: string[] = [];
    for (const content of ['one', 'two']) {
      noteIds.push(
        textAt((await call('POST', `${FINDINGS}/${id}/notes`, { content })).body, 'note', 'noteId'),
      );
    }
    for (const [index, noteId] of noteIds.entries()) {
      const reply = await call('POST', `${FINDINGS}/ZK-${id.slice(-8)}/notes/${noteId}/pin`, {
        kind: 'resolution',
      });
      expect({ status: reply.status, body: reply.body }).toEqual({
        status: 200,
        body: { findingId: id, noteId },
      });
      expect(await notesOf(harness, id)).toMatchObject([{ pinned: index === 0 }, { pinned: index === 1 }]);
    }
  });

  it('a note can be pinned only as the resolution of its own finding', async () => {
    const harness = await scanned();
    const { call, id, other } = harness;
    const reply = await call('POST', `${FINDINGS}/${id}/notes`, { content: 'one' });
    const noteId = textAt(reply.body, 'note', 'noteId');
    for (const body of [{}, { kind: 'published' }, { kind: null }, { kind: ['resolution'] }]) {
      expect(await call('POST', `${FINDINGS}/${id}/notes/${noteId}/pin`, body)).toMatchObject(
        refused(400, 'bad_request'),
      );
    }
    const pin = { kind: 'resolution' };
    for (const path of [`${id}/notes/x/pin`, `${other}/notes/${noteId}/pin`, `x/notes/${noteId}/pin`]) {
      expect(await call('POST', `${FINDINGS}/${path}`, pin)).toMatchObject(refused(404, 'not_found'));
    }
    expect(await notesOf(harness, id)).toMatchObject([{ pinned: false }]);
  });
});

describe('the note of a resolution', () => {
  it.each([
    ['a text and an id', { content: 'x', existingNoteId: 'x' }],
    ['an empty object', {}],
    ['an id that is a number', { existingNoteId: 1 }],
    ['an array', ['x']],
    ['null', null],
  ])('a new status with an invalid note (%s) gets 400', async (_how, note) => {
    const { call, id } = await scanned();
    const body = { resolutionStatus: 'RESOLVED', note };
    expect(await call('PATCH', `${FINDINGS}/${id}/resolution`, body)).toMatchObject(
      refused(400, 'bad_request'),
    );
    expect((await call('GET', `${FINDINGS}/${id}`)).body).toMatchObject({
      finding: { resolutionStatus: 'NOT_STARTED', notes: [] },
    });
  });

  it('a new status with an existing note creates no new note', async () => {
    const harness = await scanned();
    const { call, id } = harness;
    const reply = await call('POST', `${FINDINGS}/${id}/notes`, { content: 'Accepted.' });
    const existingNoteId = textAt(reply.body, 'note', 'noteId');
    const body = { resolutionStatus: 'WONT_FIX', note: { existingNoteId }, reason: 'no reason at all' };
    expect((await call('PATCH', `${FINDINGS}/${id}/resolution`, body)).status).toBe(200);
    expect(await notesOf(harness, id)).toMatchObject([{ noteId: existingNoteId, content: 'Accepted.' }]);
  });

  it('a new status with a note pins that note', async () => {
    const harness = await scanned();
    const { call, id } = harness;
    const resolve = (more: object) =>
      call('PATCH', `${FINDINGS}/${id}/resolution`, { resolutionStatus: 'WONT_FIX', ...more });
    const shown = async () => {
      const notes = await notesOf(harness, id);
      return (Array.isArray(notes) ? notes : []).map((note) => [at(note, 'content'), at(note, 'pinned')]);
    };
    await resolve({ note: { content: 'New.' } });
    expect(await shown()).toEqual([['New.', true]]);
    const reply = await call('POST', `${FINDINGS}/${id}/notes`, { content: 'Old.' });
    await resolve({ note: { existingNoteId: textAt(reply.body, 'note', 'noteId') } });
    expect(await shown()).toEqual([
      ['New.', false],
      ['Old.', true],
    ]);
    await resolve({ reason: 'risk_accepted' });
    await resolve({ resolutionStatus: 'IN_PROGRESS' });
    await resolve({ note: { existingNoteId: 'x' } });
    expect(await shown()).toEqual([
      ['New.', false],
      ['Old.', true],
      [expect.stringContaining('risk_accepted'), false],
    ]);
  });
});

/** The whole table of the contract: each status with its reasons. */
const REASONS: readonly (readonly [string, readonly string[]])[] = [
  ['RESOLVED', ['fixed_in_code', 'fixed_upstream', 'code_removed']],
  ['MITIGATED', ['compensating_control', 'limited_exposure', 'monitored']],
  [
    'FALSE_POSITIVE',
    ['not_reachable', 'guarded_elsewhere', 'intended_behavior', 'misread_code', 'bad_assumption'],
  ],
  ['WONT_FIX', ['risk_accepted', 'out_of_scope', 'not_worth_fixing', 'code_being_removed']],
  ['DUPLICATE', ['duplicate_of_finding', 'same_root_cause']],
];

describe('the reasons of a resolution', () => {
  it.each(REASONS)('the status %s accepts only its own reasons', async (status, own) => {
    const harness = await scanned();
    const { call, id } = harness;
    const patch = (reason: string) =>
      call('PATCH', `${FINDINGS}/${id}/resolution`, { resolutionStatus: status, reason });
    for (const reason of REASONS.flatMap(([, reasons]) => reasons)) {
      const reply = await patch(reason);
      if (own.includes(reason)) expect(reply.body).toEqual({ findingId: id, resolutionStatus: status });
      else expect(reply).toMatchObject(refused(400, 'bad_request'));
    }
    expect(await notesOf(harness, id)).toMatchObject(
      own.map((reason) => ({ content: expect.stringContaining(reason) })),
    );
  });

  it.each(['NOT_STARTED', 'IN_PROGRESS'])(
    'the service ignores the reason if the status is %s',
    async (resolutionStatus) => {
      const harness = await scanned();
      for (const reason of ['fixed_in_code', 'no such reason']) {
        const body = { resolutionStatus, reason };
        const reply = await harness.call('PATCH', `${FINDINGS}/${harness.id}/resolution`, body);
        expect(reply.status).toBe(200);
      }
      expect(await notesOf(harness, harness.id)).toEqual([]);
    },
  );
});
