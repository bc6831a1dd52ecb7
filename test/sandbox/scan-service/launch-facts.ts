import { happens } from '../play.ts';
import { type Fact, FULL, later, launch, read, type Server } from './fact.ts';

const GUIDANCE = 'PUT repositories/repo_shop/guidance';
const LIMITED = { tokens: [{ spendLimit: 40 }, {}] };

export const LAUNCH_FACTS: readonly Fact[] = [
  {
    name: 'a launch is queued, reserves its budget, and may have unknown members',
    steps: [launch({ colour: 'blue' }), 'GET scans', 'LOOK ledger'],
    show: 'scanId status items.*.status items.*.baseCommit items.*.commit balance reserved spent',
  },
  {
    name: 'a launch without a commit and a budget scans the tip of the default branch for the default minimum',
    steps: [launch({ ...FULL, commit: undefined, creditBudget: undefined }), read(1)],
    show: 'scan.commit scan.baseCommit scan.creditBudget',
  },
  {
    name: 'a repository without a default branch is scanned at HEAD',
    options: { repositories: [{ defaultBranch: null }] },
    steps: [launch({ ...FULL, commit: undefined }), 'GET repositories/repo_shop/audit-areas', read(1)],
    show: 'scan.commit branch mapped',
  },
  {
    name: 'an option renames the members for the repository and the commit of a launch',
    options: { launchFields: { commit: 'revision', repository: 'repo' } },
    steps: [
      launch({ repositoryId: undefined, commit: undefined, repo: 'repo_shop', revision: '{vulnerable}' }),
      launch(),
      read(1),
    ],
    show: 'scan.commit',
  },
  {
    name: 'a scan uses the guidance of its launch, otherwise the guidance that is stored at its launch',
    steps: [
      launch(),
      [GUIDANCE, { content: 'Ours.' }],
      launch(),
      launch({ guidance: 'Mine.' }),
      launch({ guidance: '' }),
      [GUIDANCE, { content: 'Later.' }],
      launch(),
      'LOOK scans',
      ...[1, 2, 3].map(read),
    ],
    show: '*.guidance scan.guidanceApplied',
  },
  {
    name: 'guidance has the date of its last change, and none if it comes from the options',
    options: { repositories: [{ guidance: 'Old.' }] },
    steps: [
      'GET repositories/repo_shop/guidance',
      [GUIDANCE, { content: 'One.' }],
      later('2024-05-02T10:00:00Z'),
      [GUIDANCE, { content: 'One.' }],
      'GET repositories/repo_shop/guidance',
      [GUIDANCE, { content: null }],
      'GET repositories/repo_shop/guidance',
    ],
    show: 'content updatedAt revisionId unchanged',
  },
  {
    name: 'a repository that is marked for deletion is listed, but not scanned',
    options: { repositories: [{ status: 'MARKED_FOR_DELETION' }] },
    steps: ['GET repositories', launch()],
    show: 'repositories.*.status',
  },
  {
    name: 'a repository is not scanned until the list shows it as ready',
    options: { repositories: [{ readyAfterListings: 2 }] },
    steps: ['GET repositories', launch(), 'GET repositories', launch(), 'GET repositories'],
    show: 'repositories.*.readiness',
  },
  {
    name: 'a launch over the spend limit of the token waits until the next month',
    options: LIMITED,
    steps: [
      later('2024-02-28T23:59:00Z'),
      launch({ creditBudget: 21 }),
      launch(),
      later('2024-03-01T00:00:00Z'),
      launch({ creditBudget: 40 }),
      happens<Server>('the scan of the month is cancelled', ({ service }) => {
        service.control.cancel(service.scans()[0]?.id ?? '');
      }),
      launch(),
    ],
  },
  {
    name: 'the spend limit of a token does not count the scans of other tokens',
    options: LIMITED,
    token: 1,
    steps: [launch({ creditBudget: 41 })],
  },
];
