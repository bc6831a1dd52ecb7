import { describe, expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import { Stop } from '../../../src/domain/stop.ts';
import { candidates } from '../../../src/scan/candidates.ts';
import { useEarlierScan } from '../../../src/scan/earlier-scan.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import type { PolledScan } from '../../../src/scan-api/scan-api.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { POLICY, sampleFinding } from '../report/sample-report.ts';
import { aScan, BASE, HEAD, polled, refused, stopped, unreachable } from './fake-api.ts';

type Poll = Result<PolledScan, ApiError>;

const shown = { baseSha: BASE, headSha: HEAD };
const completed = polled(aScan('COMPLETED', shown));
const failed = polled(aScan('FAILED', shown));
const cancelled = polled(aScan('CANCELLED', shown));
const running = polled(aScan('RUNNING', shown), 1_000);
const wrong = (status: string) => polled(aScan(status, { ...shown, headSha: 'c'.repeat(40) }));
const gone = refused(404, 'not_found');

/** No other job marks a scan in the meantime. */
const NONE_NEWER = () => ({ tried: new Set<string>(), readNew: async () => [] });

/**
 * @param polls the answers for each scan in order; the last one repeats. A scan without answers is unknown to the
 * service.
 */
async function use(
  scanIds: readonly string[],
  polls: Readonly<Record<string, readonly Poll[]>>,
  { signal = NEVER_ABORTED, unreadable = false } = {},
) {
  const said: string[] = [];
  const warnings: string[] = [];
  const polled: string[] = [];
  const finding = sampleFinding();
  const earlier = await useEarlierScan(
    {
      // Has no call to launch or cancel, because an earlier run launched the scan.
      api: {
        scan: async (_project, id) => {
          const answers = polls[id] ?? [gone];
          const seen = polled.filter((other) => other === id).length;
          polled.push(id);
          return answers[Math.min(seen, answers.length - 1)] ?? gone;
        },
        readScan: () => expect.unreachable(),
        findings: async () =>
          unreadable ? refused(500, 'internal', { operation: 'list the findings' }) : ok([finding]),
        finding: async () => ok(finding),
      },
      policy: POLICY,
      disclosure: 'everything',
      clock: new FakeClock(),
      random: () => 0,
      signal,
      warn: (...sentences) => void warnings.push(...sentences),
      log: { info: (text) => void said.push(text) },
    },
    candidates(
      NONE_NEWER(),
      scanIds.map((scanId) => ({ scanId, launchedAt: 1_000 })),
    ),
    { projectId: 'p', expected: { baseSha: BASE, headSha: HEAD } },
  );
  return { earlier, warnings, said, polled };
}

describe('a scan that an earlier run paid for', () => {
  test('reads a COMPLETED scan at no cost', async () => {
    const { earlier, said, warnings } = await use(['s'], { s: [completed] });
    expect(warnings).toEqual([]);
    expect(earlier).toMatchObject({
      kind: 'used',
      scan: {
        reused: true,
        scanId: 's',
        launchedAt: 1_000,
        scanStatus: 'COMPLETED',
        creditsReserved: 0,
        commitConfirmed: true,
        outcome: { kind: 'completed', findings: [{ id: sampleFinding().id }] },
      },
    });
    expect(said).toEqual(['Found scan `s` of another run.', 'Reusing scan `s`. No credits used.']);
  });

  test('follows a running scan to its end', async () => {
    const { earlier, polled } = await use(['s'], { s: [running, running, completed] });
    expect(earlier).toMatchObject({ kind: 'used', scan: { outcome: { kind: 'completed' } } });
    expect(polled).toEqual(['s', 's', 's']);
  });

  test('uses a scan, with a note, if the service does not show its commit in full', async () => {
    const { earlier } = await use(['s'], { s: [polled(aScan('COMPLETED', { baseSha: BASE }))] });
    expect(earlier).toMatchObject({ kind: 'used', scan: { commitConfirmed: false } });
  });

  test('ends the run as not scanned if its findings cannot be read, because a second scan would not help', async () => {
    const { earlier } = await use(['s'], { s: [completed] }, { unreadable: true });
    expect(earlier).toMatchObject({
      kind: 'used',
      scan: {
        scanStatus: 'COMPLETED',
        outcome: { kind: 'not-scanned', failure: { reason: 'service-error' } },
      },
    });
  });

  test('names a scan, and does not cancel it, if this run cannot wait any longer', async () => {
    const signal = AbortSignal.abort(new Stop('timeout'));
    expect(await use(['s'], { s: [running] }, { signal })).toMatchObject({
      warnings: [expect.stringContaining('Scan `s` is still running.')],
      earlier: {
        kind: 'used',
        scan: {
          scanId: 's',
          creditsReserved: 0,
          outcome: { kind: 'not-scanned', failure: { reason: 'timeout' } },
        },
      },
    });
    expect(await use(['s'], { s: [running, stopped('signal')] })).toMatchObject({
      warnings: [expect.stringContaining('so this run did not cancel it')],
      earlier: {
        kind: 'used',
        scan: {
          scanStatus: 'RUNNING',
          outcome: { failure: { reason: 'scan-cancelled', bySignal: true } },
        },
      },
    });
  });

  test.each<[string, Poll]>([
    ['may not be read', refused(403, 'forbidden')],
    ['cannot be read', unreachable('no', 'certificate')],
  ])('launches nothing if the scan %s', async (_what, answer) => {
    expect((await use(['s', 't'], { s: [answer], t: [completed] })).earlier).toMatchObject({
      kind: 'used',
      scan: { scanId: 's', outcome: { kind: 'not-scanned' } },
    });
  });
});

describe('a scan without a result', () => {
  test.each<[string, readonly Poll[], string]>([
    ['failed', [failed], 'reported the status FAILED.'],
    ['fails while it is followed', [running, failed], 'reported the status FAILED.'],
    ['was cancelled', [cancelled], 'reported the status CANCELLED.'],
    ['no longer exists', [gone], ''],
    ['shows another change', [wrong('COMPLETED')], 'The service is scanning a different commit range'],
    [
      'shows another change while it is running',
      [wrong('RUNNING')],
      'The service is scanning a different commit range',
    ],
  ])('skips to the next scan if the first %s', async (_what, polls, cause) => {
    const { earlier, said } = await use(['s', 't'], { s: polls, t: [completed] });
    expect(earlier).toMatchObject({ kind: 'used', scan: { scanId: 't', outcome: { kind: 'completed' } } });
    expect(said[1]).toMatch(/^Scan `s` cannot be reused\. /);
    expect(said[1]).toContain(cause);
  });

  test('tries a scan once, however often it is named, and at most five scans', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const polls = Object.fromEntries(ids.map((id) => [id, [failed]]));
    const { earlier, polled } = await use(['a', 'a', ...ids], polls);
    expect(polled).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(earlier).toMatchObject({ kind: 'none', ended: { scanId: 'a' } });
  });

  test('leads to a new launch if there is no other', async () => {
    expect(await use([], {})).toEqual({
      earlier: { kind: 'none', ended: undefined },
      said: [],
      polled: [],
      warnings: [],
    });
  });
});

test('treats a scan as deleted after three 404 answers', async () => {
  const { earlier, polled } = await use(['s', 't'], { s: [gone, gone, completed], t: [completed] });
  expect(earlier).toMatchObject({ kind: 'used', scan: { scanId: 's' } });
  expect(polled).toEqual(['s', 's', 's']);
  expect((await use(['s', 't'], { s: [gone], t: [completed] })).polled).toEqual(['s', 's', 's', 't']);
});

describe('the scan that ended without a result', () => {
  test.each([
    ['FAILED', failed, 'scan-failed'],
    ['CANCELLED', cancelled, 'scan-cancelled'],
  ] as const)('returns the scan with its reason: %s', async (status, answer, reason) => {
    expect((await use(['s'], { s: [answer] })).earlier).toEqual({
      kind: 'none',
      ended: {
        reused: true,
        scanId: 's',
        launchedAt: 1_000,
        scanStatus: status,
        creditsReserved: 0,
        outcome: { kind: 'not-scanned', failure: expect.objectContaining({ reason }) },
      },
    });
  });

  test('returns the newest of several scans', async () => {
    const polls = { a: [gone], b: [cancelled], c: [failed] };
    expect((await use(['a', 'b', 'c'], polls)).earlier).toMatchObject({ ended: { scanId: 'b' } });
  });

  test.each<[string, Poll]>([
    ['no longer exists', gone],
    ['is of another change and is running', wrong('RUNNING')],
  ])('returns nothing if the scan %s', async (_what, answer) => {
    expect((await use(['s'], { s: [answer] })).earlier).toEqual({ kind: 'none', ended: undefined });
  });

  test.each(['FAILED', 'COMPLETED'])(
    'never allows a scan of another change that ended as %s to pass',
    async (status) => {
      expect((await use(['s'], { s: [wrong(status)] })).earlier).toMatchObject({
        ended: { outcome: { failure: { reason: 'configuration', repeated: true } } },
      });
    },
  );
});

describe('a scan of other commits with the same files', () => {
  const marked = { scanId: 's', launchedAt: 1_000, baseSha: 'd'.repeat(40), headSha: 'e'.repeat(40) };
  const ofMark = (status: string) =>
    polled(aScan(status, { baseSha: marked.baseSha, headSha: marked.headSha }));

  async function useMarked(answers: readonly Poll[], sameFiles = false, headSha = HEAD) {
    const said: string[] = [];
    let asked = 0;
    const answer = () => {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1] ?? gone;
    };
    const earlier = await useEarlierScan(
      {
        api: {
          scan: async () => answer(),
          readScan: async () => {
            const read = answer();
            return read.ok ? ok(read.value.scan) : read;
          },
          findings: async () => ok([sampleFinding()]),
          finding: async () => ok(sampleFinding()),
        },
        policy: POLICY,
        disclosure: 'everything',
        clock: new FakeClock(),
        random: () => 0,
        warn: (...sentences) => expect(sentences).toEqual([]),
        signal: NEVER_ABORTED,
        log: { info: (text) => void said.push(text) },
      },
      candidates(NONE_NEWER(), [], [marked, marked]),
      { projectId: 'p', expected: { baseSha: BASE, headSha }, compareFiles: async () => ok(sameFiles) },
    );
    return { used: earlier.kind === 'used' ? earlier.scan : undefined, said, asked };
  }

  test('reads a COMPLETED scan of the same files at no cost', async () => {
    const { used, said } = await useMarked([ofMark('COMPLETED')]);
    expect(used).toMatchObject({
      outcome: { kind: 'completed' },
      scanId: 's',
      launchedAt: 1_000,
      creditsReserved: 0,
      commitConfirmed: true,
      sameFilesAs: marked.headSha,
    });
    expect(said).toEqual([
      `Scan \`s\` is of commit \`${marked.headSha}\`, which has the same files.`,
      'Reusing scan `s`. No credits used.',
    ]);
  });

  test('reads a scan that shows third commits with the same files', async () => {
    const { used } = await useMarked([wrong('COMPLETED')], true);
    expect(used).toMatchObject({ scanId: 's', commitConfirmed: true, sameFilesAs: 'c'.repeat(40) });
  });

  test('reports the commit in the mark if the scan shows none in full', async () => {
    const { used } = await useMarked([polled(aScan('COMPLETED', { headSha: marked.headSha.slice(0, 12) }))]);
    expect(used).toMatchObject({ commitConfirmed: false, sameFilesAs: marked.headSha });
  });

  test('does not report the scan as another commit if it is this one', async () => {
    const { used, said } = await useMarked([ofMark('COMPLETED')], false, marked.headSha);
    expect(used).toMatchObject({ scanId: 's', sameFilesAs: undefined });
    expect(said).toContain(
      'Scan `s` is of this commit, for another pull request or from a base with the same files.',
    );
  });

  test.each<[what: string, answers: readonly Poll[]]>([
    ['is running', [running]],
    ['failed', [ofMark('FAILED')]],
    ['was cancelled', [ofMark('CANCELLED')]],
    ['shows third commits with other files', [wrong('COMPLETED')]],
    ['no longer exists', [gone]],
    ['cannot be read', [unreachable('unknown', 'reset')]],
    ['no longer exists when it is followed', [ofMark('COMPLETED'), gone]],
  ])('does not use a scan of the same files if it %s', async (_what, answers) => {
    const { used, said, asked } = await useMarked(answers);
    expect(used).toBeUndefined();
    expect(said).toEqual([expect.stringMatching(/^Scan `s` of the same files is not used\. ./)]);
    expect(asked).toBeLessThanOrEqual(2);
  });
});
