import { happens } from '../play.ts';
import { type Fact, FULL, launch, read, type Server } from './fact.ts';

const PROGRESS =
  'scan.status scan.progress.phasesCompleted scan.progress.phasesTotal scan.progress.weightedCompletion scan.creditsSpent';
const LEDGER = 'balance reserved spent entries';
const end = (how: 'fail' | 'cancel', scan: string) =>
  happens<Server>(`${how} ${scan}`, ({ service }) => {
    service.control[how](scan === 'next' ? scan : (service.scans()[0]?.id ?? ''));
  });
const controlled = (how: 'fail' | 'cancel'): Fact => ({
  name: `the control can ${how} the next scan, or a running scan in its fourth phase`,
  steps: [
    end(how, 'next'),
    launch(),
    read(1),
    read(1),
    launch(),
    read(2),
    end(how, 'the running scan'),
    read(2),
    'GET findings?scanId={scan2}',
    'LOOK ledger',
  ],
  show: `${PROGRESS} total reserved`,
});
const ended = (ending: 'COMPLETED' | 'FAILED' | 'CANCELLED'): Fact => ({
  name: `a ${ending} scan cannot be cancelled`,
  options: { pace: { ending, phasesPerPoll: Number.POSITIVE_INFINITY } },
  steps: [
    launch(),
    read(1),
    'LOOK ledger',
    'POST scans/{scan1}/cancel',
    'LOOK ledger',
    ['POST scans/{scan1}/publish', {}],
  ],
  show: `scan.status ${LEDGER}`,
});

export const SCAN_FACTS: readonly Fact[] = [
  {
    name: 'a scan is QUEUED, then RUNNING, then COMPLETED',
    options: { pace: { phasesPerPoll: 2 }, retryAfterSeconds: 3 },
    steps: [launch(), 'GET scans', read(1), read(1), read(1), read(1)],
    show: `items.*.status ${PROGRESS} scan.progress.reservedCredits`,
  },
  {
    name: 'a scan shows what it scanned, and that the service is fake',
    steps: [launch(), read(1), launch(FULL), read(2)],
    show: 'scan.id scan.repositoryId scan.presetRef scan.baseCommit scan.commit scan.analyzer scan.createdAt',
  },
  {
    name: 'a scan is held until it is released',
    steps: [
      happens<Server>('hold the next scan', ({ service }) => service.control.hold('next')),
      launch(),
      read(1),
      read(1),
      read(1),
      happens<Server>('release', ({ service }) => service.control.release(service.scans()[0]?.id ?? '')),
      read(1),
      launch(),
      read(2),
    ],
    show: 'scan.status',
  },
  {
    name: 'the cancellation of a QUEUED scan gives back every credit',
    steps: [launch(), 'POST scans/{scan1}/cancel', 'LOOK ledger'],
    show: `status cancelledJobs ${LEDGER}`,
  },
  {
    name: 'the cancellation of a RUNNING scan charges the finished phases and half of the current phase',
    options: { pace: { phasesPerPoll: 2 } },
    steps: [launch({ creditBudget: 100 }), read(1), 'POST scans/{scan1}/cancel', 'LOOK ledger', read(1)],
    show: `status cancelledJobs ${LEDGER} ${PROGRESS}`,
  },
  ended('COMPLETED'),
  ended('FAILED'),
  ended('CANCELLED'),
  controlled('fail'),
  controlled('cancel'),
  {
    name: 'the whole budget is charged if every phase ran, and less if a phase had nothing to do',
    options: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    steps: [
      launch({ creditBudget: 100 }),
      read(1),
      launch({ creditBudget: 100, commit: '{textOnly}' }),
      read(2),
      'LOOK ledger',
    ],
    show: `scan.coverage ${LEDGER}`,
  },
  {
    name: 'a member that is hidden in one kind of record is shown in other records',
    options: {
      pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
      hideFields: {
        findingItem: ['filePath'],
        scanDetail: ['commit'],
        progress: ['weightedCompletion'],
      },
    },
    steps: [launch(), read(1), 'GET scans', 'GET findings', 'GET findings/{finding1}'],
    show: 'scan.status scan.commit scan.progress items.*.commit items.*.filePath finding.filePath',
  },
];
