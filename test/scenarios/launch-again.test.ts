import { cancelJob, initializing, limited, refusingAs } from './effects.ts';
import { waits } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import type { OtherJobs } from './other-jobs.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

const LAUNCH = 'scans.launch';
/** A run lists the check runs at its start, and right before it sends a launch again. */
const BEFORE = 'check.list';
/** The service refuses connections from now on, until a line of the log says so. */
const refuse: Act = ({ scenario }) => void scenario.environment.service.refuseConnections();
const REFUSING = {
  head: 'clean',
  scans: { runsForMs: 0 },
  event: ({ scenario: { environment } }: OtherJobs) => ({
    event: { name: 'pull_request', payload: environment.pullRequestPayload() },
    onLine: (line: string) => {
      if (line.startsWith('Could not reach the service. Retrying in ')) {
        void environment.service.acceptConnections();
      }
    },
  }),
  inputs: { 'timeout-minutes': '60' },
} as const;

testScans('launch-again', REFUSING, {
  ...rowsFor([1, 2, 3], (times) => [
    `a run sends a launch again until it could not reach the service three times (times: ${times})`,
    { at: { [`${LAUNCH} 1`]: limited(5), [`${BEFORE} 2-${times + 1}`]: refuse } },
  ]),
  'a run waits as long as a rate limit asks, three times': {
    at: { [`${LAUNCH} 1`]: limited(300), [`${LAUNCH} 2-3`]: limited(5) },
    ends: waits(LAUNCH, 300, 5, 5),
  },
  'a run ends at the fourth rate limit': { at: { [LAUNCH]: limited(5) } },
  'a run waits a little if a rate limit has no length': {
    at: { [`${LAUNCH} 1`]: refusingAs(429, 'rate_limited') },
  },
  'a run counts rate limits and refused connections separately': {
    at: { [`${LAUNCH} 1-3`]: limited(5), [`${BEFORE} 2`]: refuse, [`${BEFORE} 4`]: refuse },
  },
  'a run counts from zero again when the repository is ready': {
    at: {
      [`${LAUNCH} 1-3`]: limited(5),
      [`${BEFORE} 4-5`]: refuse,
      [`${LAUNCH} 4`]: initializing,
      [`${BEFORE} 7-8`]: refuse,
      [`${LAUNCH} 5-7`]: limited(5),
    },
  },
  'a run names the spend limit of the token if a rate limit outlasts the run': {
    at: { [LAUNCH]: { ...limited(4_000), body: { error: { code: 'rate_limited', message: '' } } } },
    service: { tokens: [{ spendLimit: 500 }] },
  },
  'a run sends no launch after the timeout': {
    at: { [`${LAUNCH} 1`]: limited(59), [`${BEFORE} 2`]: refuse },
    inputs: { 'timeout-minutes': '1' },
  },
  'a run that is cancelled sends no launch again': { at: { [`${LAUNCH} 1`]: [cancelJob, limited(5)] } },
  'a job that is cancelled while the service refuses the launch fails, even if the reason is allowed': {
    at: { [LAUNCH]: [cancelJob, refusingAs(402, 'insufficient_credits')] },
    inputs: EVERYTHING_ALLOWED,
  },
});
