import { describe, expect, test } from 'vitest';
import { NAMES } from '../client.ts';
import { accepted, refused } from '../documented-answer.ts';
import { FindingDetail, NoteCreated, NotePinned, RESOLUTIONS, Resolved } from '../records.ts';
import type { Session } from '../session.ts';
import { oneFinding } from './findings.ts';

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
  });
}
