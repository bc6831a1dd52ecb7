import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { findLaunchTime } from '../../../src/scan/launch.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { aScan, polled, refused } from './fake-api.ts';

const gone = refused(404, 'not_found');
const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
/** The clock of the runner, in seconds. */
const NOW = Math.floor(new FakeClock().date().getTime() / 1_000);
const ahead = (seconds: number) => new Date((NOW + seconds) * 1_000);

interface Shown {
  readonly acceptedAt?: Date;
  /** The time that the scan showed in an earlier read. */
  readonly createdAt?: string;
  /** The time that the scan's detail shows. `gone`: the detail cannot be read. */
  readonly detail?: string | 'gone';
  readonly listed?: string | 'gone';
}

async function find({ acceptedAt, createdAt, detail, listed }: Shown) {
  const asked: string[] = [];
  const clock = new FakeClock();
  const { progress: _, ...other } = aScan('RUNNING', { id: 'other', createdAt: at(1) });
  const time = await findLaunchTime(
    {
      api: {
        scan: async (_project, id, { signal }) => {
          expect([id, signal]).toEqual(['s', NEVER_ABORTED]);
          asked.push('detail');
          return detail === 'gone' ? gone : polled(aScan('RUNNING', { id: 's', createdAt: detail }));
        },
        scans: async (_project, { signal }) => {
          expect(signal).toBe(NEVER_ABORTED);
          asked.push('list');
          if (listed === 'gone') return gone;
          return ok({ scans: [other, { ...other, id: 's', createdAt: listed }], complete: true });
        },
      },
      clock,
      signal: NEVER_ABORTED,
    },
    'p',
    { scanId: 's', acceptedAt, createdAt },
  );
  return { time, asked };
}

test.each<[what: string, shown: Shown, time: number, asked: readonly string[]]>([
  ['the answer to the launch', { acceptedAt: new Date(70_999), detail: at(5) }, 70, []],
  ['the detail of the scan', { detail: at(60), listed: at(5) }, 60, ['detail']],
  ['an earlier read of the scan', { createdAt: at(40), detail: at(60) }, 40, []],
  ['the detail if an earlier read showed no time', { createdAt: 'soon', detail: at(60) }, 60, ['detail']],
  ['the list of scans', { listed: at(50) }, 50, ['detail', 'list']],
  ['the list if the detail cannot be read', { detail: 'gone', listed: at(50) }, 50, ['detail', 'list']],
  ['the list if the detail shows no time', { detail: 'soon', listed: at(50) }, 50, ['detail', 'list']],
  ['the answer to the launch if that time is the epoch', { acceptedAt: new Date(0), detail: at(5) }, 0, []],
  ['the answer to the launch if its clock is five minutes ahead', { acceptedAt: ahead(300) }, NOW + 300, []],
  [
    'the detail if the answer is from before the epoch',
    { acceptedAt: new Date(-1), detail: at(60) },
    60,
    ['detail'],
  ],
])('findLaunchTime uses the time of %s', async (_what, shown, time, asked) => {
  expect(await find(shown)).toMatchObject({ time, asked });
});

test.each<[string, Shown]>([
  ['shows no time', {}],
  ['does not answer', { detail: 'gone', listed: 'gone' }],
  ['answers the launch from a clock that is over five minutes ahead', { acceptedAt: ahead(301) }],
  ['answers the launch from the year 2286', { acceptedAt: new Date(9_999_999_999_999) }],
  ['shows a scan from the future', { detail: ahead(301).toISOString() }],
  ['showed a scan from the future', { createdAt: ahead(86_400).toISOString() }],
  ['lists a scan from the future', { listed: ahead(3_600).toISOString() }],
])('findLaunchTime uses the clock of the runner if the service %s', async (_what, shown) => {
  expect((await find(shown)).time).toBe(NOW);
});
