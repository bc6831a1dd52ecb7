import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { objectAt } from '../../sandbox/json.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { fullScan, push } from './branch-events.ts';
import { anEarlierRun, changes, forbidden, refusing, refusingAs } from './effects.ts';
import { blocked, notScanned, outputs, paid, requests, reusesOldest } from './ends.ts';
import { allowing, BOTH_WAYS } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { GUIDANCE, GUIDANCE_FILE } from './repository.ts';
import { type End, testRuns } from './run-rows.ts';
import type { Scenario } from './scenario.ts';

const INPUTS = { 'guidance-file': GUIDANCE_FILE };
const STORED = 'Payments are out of scope.';
/** The base branch has the guidance file, and the input names this file. */
const GUIDED = { head: 'guided change', baseRef: 'guided', inputs: INPUTS } as const;
const NEW_SCAN = outputs({ outcome: 'blocked', 'scan-reused': 'false' });

/** The guidance in each launch request, the newest request first. */
const sends =
  (...guidance: readonly unknown[]): End =>
  ({ environment: { service }, run }) => {
    const bodies = service.requests.filter(({ point }) => point === 'scans.launch').map(({ body }) => body);
    const sent = bodies.map((body) =>
      typeof body === 'object' && body !== null ? Reflect.get(body, 'guidance') : undefined,
    );
    expect(sent.reverse(), run.log).toEqual(guidance);
  };

const storing =
  (guidance: string) =>
  ({ dir }: SharedRepository) => ({
    repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, guidance }],
  });

const hidesGuidance: End = ({ run, environment: { github }, repository }) => {
  const digits = createHash('sha256').update(GUIDANCE).digest('hex').slice(0, 8);
  const places = [run.log, run.summary, github.checkRuns[0]?.output.summary ?? ''];
  for (const place of places) {
    for (const shown of [GUIDANCE_FILE, repository.id('guided').slice(0, 7), '24 characters', digits])
      expect(place).toContain(shown);
  }
  expect(JSON.stringify([places, github.comments])).not.toContain('parser');
  expect(github.comments[0]?.body).not.toContain(digits);
};

describe('the guidance that is sent', () => {
  testRuns([
    {
      name: 'a run does not show the text of the guidance file that it sends',
      ...GUIDED,
      inputs: { ...INPUTS, 'report-file': 'report.json' },
      ends: [blocked, sends(GUIDANCE), hidesGuidance],
    },
    {
      name: 'a run without a guidance file asks for no guidance',
      ...GUIDED,
      inputs: {},
      ends: [blocked, requests('tree|blob|commit|ref|guidance.read', 0)],
    },
    {
      name: 'guidance from a file costs three requests to GitHub and one to the service',
      ...GUIDED,
      ends: [requests('tree', 2), requests('tree|blob|commit|ref', 3), requests('guidance.read', 1)],
    },
    {
      name: 'a run sends the stored guidance, an empty line and the guidance file',
      ...GUIDED,
      service: storing(`${STORED}\n`),
      ends: [blocked, sends(`${STORED}\n\n${GUIDANCE}`)],
    },
    {
      name: 'a run sends the guidance once if the stored text equals the guidance file',
      ...GUIDED,
      service: storing(GUIDANCE.trim()),
      ends: sends(GUIDANCE),
    },
  ]);
});

describe('the version of the guidance file', () => {
  testRuns([
    {
      name: 'guidance is read from the base branch even if the pull request changes the file',
      ...GUIDED,
      head: 'changes guidance',
      ends: sends(GUIDANCE),
    },
    {
      name: 'a run fails if only the head has the guidance file',
      ...GUIDED,
      baseRef: 'stable',
      head: 'changes guidance',
      ends: notScanned('configuration', {
        launches: 0,
        texts: [
          `There is no file ${GUIDANCE_FILE} at commit`,
          'merge it into the base branch first, and set guidance-file after that',
        ],
      }),
    },
    {
      name: 'the input `base-commit` does not change the guidance',
      ...GUIDED,
      inputs: ({ repository }) => ({ ...INPUTS, 'base-commit': repository.id('behind') }),
      ends: sends(GUIDANCE),
    },
    {
      name: 'guidance is read from the tip of the base branch, not from the head or the merge base',
      ...GUIDED,
      baseRef: 'misguided',
      ends: sends('Report nothing.\n'),
    },
    {
      name: 'for a push, guidance is read from the commit before the push',
      ...GUIDED,
      head: 'changes guidance',
      event: ({ scenario }) => push(scenario, { branch: 'guided', before: scenario.repository.id('guided') }),
      ends: [blocked, sends(GUIDANCE)],
    },
    {
      name: 'for a full scan, guidance is read from the scanned commit',
      ...GUIDED,
      event: ({ scenario }) => fullScan(scenario, 'schedule'),
      ends: [outputs({ outcome: 'blocked', 'scan-kind': 'full' }), sends(GUIDANCE)],
    },
  ]);
});

/** The run for a pull request that has moved from the base branch `misguided` to `guided`. */
const moved = ({ scenario: { environment } }: OtherJobs) => ({
  event: {
    name: 'pull_request',
    payload: environment.pullRequestPayload({
      action: 'edited',
      baseRef: 'guided',
      changes: { base: { ref: { from: 'misguided' } } },
    }),
  },
  runId: 9_000_000_002,
});

describe('a paid scan', () => {
  testRuns([
    {
      name: 'a re-run with the same guidance uses the paid scan',
      ...GUIDED,
      earlier: [anEarlierRun(INPUTS)],
      attempt: 2,
      ends: [blocked, reusesOldest, paid(1)],
    },
    {
      name: 'a run does not use the paid scan if the new base branch has other guidance',
      ...GUIDED,
      head: 'vulnerable',
      baseRef: 'misguided',
      earlier: [anEarlierRun(INPUTS), changes({ baseRef: 'guided' })],
      event: moved,
      ends: [NEW_SCAN, sends(GUIDANCE, 'Report nothing.\n')],
    },
    {
      name: 'a run with guidance does not use a paid scan without guidance',
      ...GUIDED,
      earlier: [anEarlierRun()],
      attempt: 2,
      ends: [NEW_SCAN, sends(GUIDANCE, undefined)],
    },
  ]);
});

describe('incomplete guidance is never sent', () => {
  testRuns([
    ...BOTH_WAYS.map(({ way, allowed }) => ({
      name: `nothing is launched if the stored guidance cannot be read (${way})`,
      ...GUIDED,
      at: { 'guidance.read': refusingAs(500, 'internal') },
      inputs: { ...INPUTS, ...allowing('service-error', allowed) },
      ends: notScanned('service-error', {
        allowed,
        launches: 0,
        texts: ['Could not read the stored guidance', 'nothing was launched'],
      }),
    })),
    ...(
      [
        [403, forbidden, 'configuration', 'Add contents: read'],
        [500, refusing(500), 'service-error', 'Re-run this job'],
      ] as const
    ).map(([status, answer, reason, text]) => ({
      name: `nothing is launched if the request for the guidance file gets ${status}`,
      ...GUIDED,
      at: { blob: answer },
      ends: notScanned(reason, { launches: 0, texts: ['Could not read the guidance file', text] }),
    })),
    {
      name: 'nothing is launched if both `guidance-file` and `launch-parameters` give guidance',
      ...GUIDED,
      inputs: { ...INPUTS, 'launch-parameters': '{"guidance": "Report nothing."}' },
      ends: notScanned('configuration', {
        launches: 0,
        texts: ['guidance-file is set, and launch-parameters has guidance too', 'Keep one of them'],
      }),
    },
  ]);
});

const layerOn =
  (stack: unknown) =>
  ({ scenario: { environment } }: { readonly scenario: Scenario }) => {
    const payload = environment.pullRequestPayload();
    const pullRequest = { ...objectAt(payload, 'pull_request'), stack };
    return { event: { name: 'pull_request', payload: { ...payload, pull_request: pullRequest } } };
  };

describe('the guidance in a stack', () => {
  testRuns([
    {
      name: 'a run reads the guidance of a layer from the branch on which the stack is built',
      // The base, `main`, has no guidance file.
      event: layerOn({ id: 1, position: 2, base: { ref: 'guided' } }),
      inputs: INPUTS,
      ends: [blocked, sends(GUIDANCE)],
    },
    ...(
      [
        ['has no name', { base: {} }],
        ['is gone', { base: { ref: 'no-such-branch' } }],
        ['is malformed', 'guided'],
      ] as const
    ).map(([what, stack]) => ({
      name: `a run launches nothing if the branch below the stack ${what}`,
      ...GUIDED,
      event: layerOn(stack),
      ends: [
        notScanned('service-error', { launches: 0, texts: ['the branch on which the stack is built'] }),
        requests('ref', what === 'is gone' ? 1 : 0),
      ],
    })),
    {
      name: 'a run launches nothing if the branch below the stack cannot be read',
      ...GUIDED,
      event: layerOn({ base: { ref: 'guided' } }),
      at: { ref: forbidden },
      ends: notScanned('configuration', {
        launches: 0,
        texts: [`${GUIDANCE_FILE} of the branch below the stack`, 'Add contents: read'],
      }),
    },
    {
      name: 'outside of a stack, a run reads the guidance from the base branch',
      ...GUIDED,
      event: layerOn(null),
      ends: sends(GUIDANCE),
    },
  ]);
});
