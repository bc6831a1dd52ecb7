import { describe, expect, test } from 'vitest';
import { NAMES } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { FindingDetail, NoteCreated, NotePinned, RESOLUTIONS, Resolved } from '../records.ts';
import type { Session } from '../session.ts';
import { labelOf, oneFinding } from './findings.ts';

const REASONS = {
  RESOLVED: ['fixed_in_code', 'fixed_upstream', 'code_removed'],
  MITIGATED: ['compensating_control', 'limited_exposure', 'monitored'],
  FALSE_POSITIVE: [
    'not_reachable',
    'guarded_elsewhere',
    'intended_behavior',
    'misread_code',
    'bad_assumption',
  ],
  WONT_FIX: ['risk_accepted', 'out_of_scope', 'not_worth_fixing', 'code_being_removed'],
  DUPLICATE: ['duplicate_of_finding', 'same_root_cause'],
};
const EVERY_REASON = Object.values(REASONS).flat();
const NO_REASON_NEEDED = RESOLUTIONS.filter((status) => !(status in REASONS));

export function triage(session: () => Session): void {
  const finding = (): Promise<string> => oneFinding(session());
  const record = async () => {
    const { finding: read } = accepted(await session().client.finding(await finding()), 200, FindingDetail);
    const notes = read[NAMES.findingDetail.notes].map((note) => note[NAMES.note.content]);
    return { resolution: read.resolutionStatus, notes };
  };
  const addNote = async (content: string) =>
    accepted(await session().client.addNote(await finding(), { content }), 201, NoteCreated)[
      NAMES.note.record
    ];
  const resolve = async (body: object) => session().client.resolve(await finding(), body);
  const resolved = async (body: object) => accepted(await resolve(body), 200, Resolved);

  describe('notes', () => {
    test('the service stores the exact text of a note', async () => {
      expect((await addNote('Seen, **not** yet judged.'))[NAMES.note.content]).toBe(
        'Seen, **not** yet judged.',
      );
      await addNote('x');
      await addNote('<b>&amp;</b>\n\n- @team');
      await addNote(' ');
      expect((await record()).notes).toEqual([
        'Seen, **not** yet judged.',
        'x',
        '<b>&amp;</b>\n\n- @team',
        ' ',
      ]);
    });

    test.each([{ content: '' }, {}, { content: null }, { content: 5 }, { content: ['x'] }])(
      'the service refuses an invalid note: %j',
      async (body) => {
        const before = await record();
        refused(await session().client.addNote(await finding(), body), '400 bad_request');
        expect(await record()).toEqual(before);
      },
    );

    test('the service adds a note to the finding whose label is in the address', async () => {
      const id = await finding();
      for (const by of [labelOf(id), id.slice(-8)]) {
        accepted(await session().client.addNote(by, { content: by }), 201, NoteCreated);
      }
      expect((await record()).notes.slice(-2)).toEqual([labelOf(id), id.slice(-8)]);
    });

    test('a note can be pinned only as the resolution', async () => {
      const id = await finding();
      const note = (await addNote('We decided this.'))[NAMES.note.id];
      const pinned = accepted(
        await session().client.pinNote(id, note, { kind: 'resolution' }),
        200,
        NotePinned,
      );
      expect(pinned).toMatchObject({ findingId: id, noteId: note });
      for (const body of [{ kind: 'banner' }, { kind: null }, { kind: ['resolution'] }, {}]) {
        refused(await session().client.pinNote(id, note, body), '400 bad_request');
      }
      refused(await session().client.pinNote(id, 'no-such-note', { kind: 'resolution' }), '404 not_found');
      const other = await oneFinding(session(), 1);
      refused(await session().client.pinNote(other, note, { kind: 'resolution' }), '404 not_found');
    });
  });

  describe('resolution', () => {
    test('the resolution of a finding can change from any status to any status', async () => {
      const findingId = await finding();
      const [first] = RESOLUTIONS;
      const walk = RESOLUTIONS.flatMap((one, n) => RESOLUTIONS.slice(n).flatMap((other) => [one, other]));
      const steps = [...walk, first].map((to, n) => [walk[n - 1], to] as const);
      expect(new Set(steps.slice(1).map(String)).size).toBe(RESOLUTIONS.length ** 2);
      for (const [, to] of steps) {
        expect(await resolved({ resolutionStatus: to })).toMatchObject({ findingId, resolutionStatus: to });
      }
      expect((await record()).resolution).toBe(first);
    });

    test.each([
      {},
      { resolutionStatus: 'FIXED' },
      { resolutionStatus: null },
      { resolutionStatus: 'resolved' },
      { resolutionStatus: 'constructor' },
      { resolutionStatus: 'RESOLVED', reason: 7 },
      { resolutionStatus: 'RESOLVED', reason: null },
      { resolutionStatus: 'RESOLVED', note: null },
      { resolutionStatus: 'RESOLVED', note: 'x' },
      { resolutionStatus: 'RESOLVED', note: ['x'] },
      { resolutionStatus: 'RESOLVED', note: {} },
      { resolutionStatus: 'RESOLVED', note: { content: '' } },
      { resolutionStatus: 'RESOLVED', note: { existingNoteId: 1 } },
      { resolutionStatus: 'RESOLVED', note: { content: 'x', existingNoteId: 'x' } },
    ])('the service refuses an invalid resolution: %j', async (body) => {
      const before = await record();
      refused(await resolve(body), '400 bad_request');
      expect(await record()).toEqual(before);
    });

    test.each(Object.entries(REASONS))(
      'the service accepts each reason of the status %s, and writes it into a note',
      async (status, reasons) => {
        for (const reason of reasons) {
          const before = (await record()).notes;
          await resolved({ resolutionStatus: status, reason });
          const after = await record();
          expect(after.resolution).toBe(status);
          expect(after.notes.slice(0, -1)).toEqual(before);
          expect(after.notes.at(-1)).toContain(reason);
        }
      },
    );

    test.each(Object.entries(REASONS))(
      'the service refuses reasons that do not belong to the status %s',
      async (status, reasons) => {
        await resolved({ resolutionStatus: 'IN_PROGRESS' });
        const before = await record();
        for (const reason of [...EVERY_REASON, 'no_such_reason'].filter((one) => !reasons.includes(one))) {
          refused(await resolve({ resolutionStatus: status, reason }), '400 bad_request');
        }
        expect(await record()).toEqual(before);
      },
    );

    test.each(NO_REASON_NEEDED)('the service ignores the reason if the status is %s', async (status) => {
      const { notes } = await record();
      for (const reason of ['fixed_in_code', 'no_such_reason', 7, null]) {
        await resolved({ resolutionStatus: status, reason });
      }
      expect(await record()).toEqual({ resolution: status, notes });
    });

    test('the service ignores the reason of a resolution that has a new note', async () => {
      const { notes } = await record();
      await resolved({
        resolutionStatus: 'WONT_FIX',
        note: { content: 'The page is gone next week.' },
        reason: 'fixed_in_code',
      });
      expect(await record()).toEqual({
        resolution: 'WONT_FIX',
        notes: [...notes, 'The page is gone next week.'],
      });
    });

    test('the service stores a resolution with an existing note', async () => {
      const note = await addNote('The same as ever.');
      const { notes } = await record();
      await resolved({ resolutionStatus: 'RESOLVED', note: { existingNoteId: note[NAMES.note.id] } });
      const unknown = { resolutionStatus: 'MITIGATED', note: { existingNoteId: 'no-such-note' } };
      refused(await resolve(unknown), '404 not_found');
      expect(await record()).toEqual({ resolution: 'RESOLVED', notes });
    });
  });
}
