import type { Control } from '../../../sandbox/scan-service/control.ts';
import { happens } from '../play.ts';
import { type Fact, FULL, launch, read, type Server } from './fact.ts';

const AT_ONCE = { phasesPerPoll: Number.POSITIVE_INFINITY };
const SCANNED = [launch(), read(1)];
const CODE = 'function f(x) { eval(x); }\n';
const resolve = (more: object) =>
  ['PATCH findings/{finding1}/resolution', { resolutionStatus: 'WONT_FIX', ...more }] as const;
const note = (content: string) => ['POST findings/{finding1}/notes', { content }] as const;
/** Something that the control does to the first finding. */
const toFirst = (what: string, change: (control: Control, findingId: string) => void) =>
  happens<Server>(what, ({ service }) =>
    change(service.control, service.scans().at(-1)?.findingIds[0] ?? ''),
  );

export const FINDING_FACTS: readonly Fact[] = [
  {
    name: 'a diff scan reports only findings on changed lines',
    options: { pace: AT_ONCE },
    steps: [...SCANNED, 'GET findings?scanId={scan1}'],
    show: 'total items.0 items.1.cwe items.1.severity items.1.triageStatus items.1.confirmationEvidence items.1.filePath',
  },
  {
    name: 'the detail of a finding adds its label, a description, a fix and a proof',
    options: { pace: AT_ONCE },
    steps: [...SCANNED, 'GET findings/{finding1}', 'GET findings/{finding2}'],
    show: 'finding.label finding.description finding.recommendedFix finding.proofOfConcept',
  },
  {
    name: 'a scan has no findings until it is COMPLETED',
    steps: [launch(), read(1), 'GET findings?scanId={scan1}', read(1), 'GET findings?scanId={scan1}'],
    show: 'scan.status total',
  },
  {
    name: 'a full scan reports the findings of the diff scan, and those of unchanged code',
    options: { pace: AT_ONCE },
    steps: [...SCANNED, launch(FULL), read(2), 'GET findings?scanId={scan2}', 'GET findings'],
    show: 'total items.*.id',
  },
  {
    name: 'a finding keeps its id and its triage in every scan, even if its line moves',
    repository: {
      commits: [
        { name: 'base', files: { 'a.js': '' } },
        { name: 'one', files: { 'a.js': CODE } },
        { name: 'two', files: { 'a.js': `let a;\n\n  ${CODE}` } },
      ],
    },
    options: { pace: AT_ONCE },
    steps: [
      launch({ commit: '{one}' }),
      read(1),
      toFirst('triage, and another severity', (control, id) => {
        const closed = { resolutionStatus: 'FALSE_POSITIVE', triageStatus: 'REJECTED' };
        control.triage(id, { ...closed, confirmationEvidence: null });
        control.overrideSeverity(id, 'INFO');
      }),
      launch({ commit: '{two}' }),
      read(2),
      'GET findings?scanId={scan2}',
      'GET findings?scanId={scan1}',
      'GET findings',
      toFirst('no other severity any more', (control, id) => control.overrideSeverity(id, null)),
      'GET findings/{finding1}',
    ],
    show: 'total items.*.id items.0.severity items.0.aiSeverity items.0.triageStatus items.0.confirmationEvidence items.0.resolutionStatus items.*.startLine finding.severity',
  },
  {
    name: 'a vulnerability in two repositories has two ids',
    options: { pace: AT_ONCE, repositories: [{}, { name: 'till' }] },
    steps: [...SCANNED, launch({ repositoryId: 'repo_till' }), read(2), 'GET findings'],
    show: 'total items.*.id items.*.repositoryId',
  },
  {
    name: 'a label that two findings share is refused',
    options: { pace: AT_ONCE, findingId: (hash) => `${hash.slice(0, 10)}-aaaaaaaa` },
    steps: [
      ...SCANNED,
      'GET findings/ZK-{label1}',
      'GET findings/{label1}',
      ['PATCH findings/{label1}/resolution', { resolutionStatus: 'RESOLVED' }],
      ['POST findings/ZK-{label1}/publish', {}],
      ['POST findings/{label1}/notes', { content: 'x' }],
      ['POST findings/{label1}/notes/x/pin', { kind: 'resolution' }],
      'GET findings/{finding2}',
    ],
  },
  {
    name: 'only the note is pinned that was pinned last, or came with the last resolution',
    options: { pace: AT_ONCE },
    steps: [
      ...SCANNED,
      resolve({ note: { content: 'New.' } }),
      note('Old.'),
      'GET findings/{finding1}',
      resolve({ note: { existingNoteId: 'note_2_{finding1}' } }),
      'GET findings/{finding1}',
      note('Third.'),
      ['POST findings/{finding1}/notes/note_3_{finding1}/pin', { kind: 'resolution' }],
      resolve({ reason: 'risk_accepted' }),
      resolve({ resolutionStatus: 'IN_PROGRESS' }),
      resolve({ note: { existingNoteId: 'x' } }),
      'GET findings/{finding1}',
    ],
    show: 'finding.notes.*.content finding.notes.*.pinned',
  },
];
