import { describe, expect } from 'vitest';
import { cancelJob, initializing, limited, refusingAs } from './effects.ts';
import { endedAs, exits, notScanned, passed, requests, says, waits } from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type End, testRuns } from './run-rows.ts';
import type { Act, Timeline } from './timeline.ts';

const LAUNCH = 'scans.launch';
/** The log has this line when the service could not be reached. */
const AWAY = 'Could not reach the service. Retrying in ';
/** The service refuses connections from now on, until a line of the log says so. */
const refuse: Act = ({ scenario }) => void scenario.environment.service.refuseConnections();
const row = (at: Timeline, minutes = 60) => ({
  head: 'clean' as const,
  scans: { runsForMs: 0 },
  event: ({ scenario: { environment } }: OtherJobs) => ({
    event: { name: 'pull_request', payload: environment.pullRequestPayload() },
    onLine: (line: string) => {
      if (line.startsWith(AWAY)) void environment.service.acceptConnections();
    },
  }),
  at,
  inputs: { 'timeout-minutes': String(minutes) },
});
/** A run lists the check runs at its start, and right before it sends a launch again. */
const BEFORE = 'check.list';
const away =
  (count: number): End =>
  ({ run }) =>
    expect(run.log.match(/Could not reach the service\. Retrying in \d s\./g), run.log).toHaveLength(count);
const sends = (count: number) => requests(LAUNCH, count);

describe('a run that repeats a refused launch', () => {
  testRuns([
    ...[1, 2].map((times) => ({
      name: `a run sends a launch again if it could not reach the service (times: ${times})`,
      ...row({ [`${LAUNCH} 1`]: limited(5), [`${BEFORE} 2-${times + 1}`]: refuse }),
      ends: [passed, sends(2), away(times)],
    })),
    {
      name: 'a run ends if it could not reach the service three times',
      ...row({ [`${LAUNCH} 1`]: limited(5), [`${BEFORE} 2-4`]: refuse }),
      ends: [endedAs('service-error'), exits(1), sends(1), away(2)],
    },
    {
      name: 'a run waits as long as a rate limit asks, three times',
      ...row({ [`${LAUNCH} 1`]: limited(300), [`${LAUNCH} 2-3`]: limited(5) }),
      ends: [
        passed,
        waits(LAUNCH, 300, 5, 5),
        says('Rate limited. Retrying in 5 minutes.', 'Rate limited. Retrying in 5 s.'),
      ],
    },
    {
      name: 'a run ends at the fourth rate limit',
      ...row({ [LAUNCH]: limited(5) }),
      ends: notScanned('rate-limited', { launches: 4, texts: ['asks to wait 5 s.'] }),
    },
    {
      name: 'a run waits a little if a rate limit has no length',
      ...row({ [`${LAUNCH} 1`]: refusingAs(429, 'rate_limited') }),
      ends: [passed, sends(2)],
    },
    {
      name: 'a run counts rate limits and refused connections separately',
      ...row({ [`${LAUNCH} 1-3`]: limited(5), [`${BEFORE} 2`]: refuse, [`${BEFORE} 4`]: refuse }),
      ends: [passed, sends(4), away(2)],
    },
    {
      name: 'a run counts from zero again when the repository is ready',
      ...row({
        [`${LAUNCH} 1-3`]: limited(5),
        [`${BEFORE} 4-5`]: refuse,
        [`${LAUNCH} 4`]: initializing,
        [`${BEFORE} 7-8`]: refuse,
        [`${LAUNCH} 5-7`]: limited(5),
      }),
      ends: [passed, sends(8), away(4)],
    },
    {
      name: 'a run names the spend limit of the token if a rate limit outlasts the run',
      ...row({ [LAUNCH]: { ...limited(4_000), body: { error: { code: 'rate_limited', message: '' } } } }),
      service: { tokens: [{ spendLimit: 500 }] },
      ends: notScanned('rate-limited', {
        launches: 1,
        texts: ['spend limit is 500 credits per billing period'],
      }),
    },
    {
      name: 'a run sends no launch after the timeout',
      ...row({ [`${LAUNCH} 1`]: limited(59), [`${BEFORE} 2`]: refuse }, 1),
      ends: [endedAs('timeout'), says('before it launched a scan'), sends(1), away(1)],
    },
    {
      name: 'a run that is cancelled sends no launch again',
      ...row({ [`${LAUNCH} 1`]: [cancelJob, limited(5)] }),
      ends: [endedAs('scan-cancelled'), exits(1), sends(1)],
    },
    {
      name: 'a job that is cancelled while the service refuses the launch fails, even if the reason is allowed',
      ...row({ [LAUNCH]: [cancelJob, refusingAs(402, 'insufficient_credits')] }),
      inputs: EVERYTHING_ALLOWED,
      ends: [endedAs('insufficient-credits'), exits(1), sends(1)],
    },
  ]);
});
