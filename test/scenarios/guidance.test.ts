import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { objectAt } from '../../sandbox/json.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { fullScan, push } from './branch-events.ts';
import { anEarlierRun, changes, forbidden, refusing, refusingAs } from './effects.ts';
import { requests } from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import { GUIDANCE, GUIDANCE_FILE } from './repository.ts';
import type { End } from './run-rows.ts';
import { bothWays, rowsFor, testScans } from './scan-rows.ts';
import type { Scenario } from './scenario.ts';

const INPUTS = { 'guidance-file': GUIDANCE_FILE };
const STORED = 'Payments are out of scope.';
/** The base branch has the guidance file, and the input names this file. */
const GUIDED = { head: 'guided change', baseRef: 'guided', inputs: INPUTS } as const;

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

testScans('guidance', GUIDED, {
  'a run does not show the text of the guidance file that it sends': {
    inputs: { ...INPUTS, 'report-file': 'report.json' },
    ends: [sends(GUIDANCE), hidesGuidance],
  },
  'a run without a guidance file asks for no guidance': {
    inputs: {},
    ends: requests('tree|blob|commit|ref|guidance.read', 0),
  },
  'guidance from a file costs three requests to GitHub and one to the service': {
    ends: [requests('tree', 2), requests('tree|blob|commit|ref', 3), requests('guidance.read', 1)],
  },
  'a run sends the stored guidance, an empty line and the guidance file': {
    service: storing(`${STORED}\n`),
    ends: sends(`${STORED}\n\n${GUIDANCE}`),
  },
  'a run sends the guidance once if the stored text equals the guidance file': {
    service: storing(GUIDANCE.trim()),
    ends: sends(GUIDANCE),
  },
});

testScans('guidance', GUIDED, {
  'guidance is read from the base branch even if the pull request changes the file': {
    head: 'changes guidance',
    ends: sends(GUIDANCE),
  },
  'a run fails if only the head has the guidance file': { baseRef: 'stable', head: 'changes guidance' },
  'the input `base-commit` does not change the guidance': {
    inputs: ({ repository }) => ({ ...INPUTS, 'base-commit': repository.id('behind') }),
    ends: sends(GUIDANCE),
  },
  'guidance is read from the tip of the base branch, not from the head or the merge base': {
    baseRef: 'misguided',
    ends: sends('Report nothing.\n'),
  },
  'for a push, guidance is read from the commit before the push': {
    head: 'changes guidance',
    event: ({ scenario }) => push(scenario, { branch: 'guided', before: scenario.repository.id('guided') }),
    ends: sends(GUIDANCE),
  },
  'for a full scan, guidance is read from the scanned commit': {
    event: ({ scenario }) => fullScan(scenario, 'schedule'),
    ends: sends(GUIDANCE),
  },
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

testScans('guidance', GUIDED, {
  'a re-run with the same guidance uses the paid scan': { earlier: [anEarlierRun(INPUTS)], attempt: 2 },
  'a run does not use the paid scan if the new base branch has other guidance': {
    head: 'vulnerable',
    baseRef: 'misguided',
    earlier: [anEarlierRun(INPUTS), changes({ baseRef: 'guided' })],
    event: moved,
    ends: sends(GUIDANCE, 'Report nothing.\n'),
  },
  'a run with guidance does not use a paid scan without guidance': {
    earlier: [anEarlierRun()],
    attempt: 2,
    ends: sends(GUIDANCE, undefined),
  },
});

testScans('guidance', GUIDED, {
  ...bothWays('service-error', [INPUTS], (inputs) => [
    'nothing is launched if the stored guidance cannot be read',
    { at: { 'guidance.read': refusingAs(500, 'internal') }, inputs },
  ]),
  ...rowsFor([403, 500], (status) => [
    `nothing is launched if the request for the guidance file gets ${status}`,
    { at: { blob: refusing(status) } },
  ]),
  'nothing is launched if both `guidance-file` and `launch-parameters` give guidance': {
    inputs: { ...INPUTS, 'launch-parameters': '{"guidance": "Report nothing."}' },
  },
});

const layerOn =
  (stack: unknown) =>
  ({ scenario: { environment } }: { readonly scenario: Scenario }) => {
    const payload = environment.pullRequestPayload();
    const pullRequest = { ...objectAt(payload, 'pull_request'), stack };
    return { event: { name: 'pull_request', payload: { ...payload, pull_request: pullRequest } } };
  };

testScans('guidance', {
  'a run reads the guidance of a layer from the branch on which the stack is built': {
    // The base, `main`, has no guidance file.
    event: layerOn({ id: 1, position: 2, base: { ref: 'guided' } }),
    inputs: INPUTS,
    ends: sends(GUIDANCE),
  },
  ...rowsFor(
    [
      ['has no name', { base: {} }],
      ['is gone', { base: { ref: 'no-such-branch' } }],
      ['is malformed', 'guided'],
    ] as const,
    ([what, stack]) => [
      `a run launches nothing if the branch below the stack ${what}`,
      { ...GUIDED, event: layerOn(stack), ends: requests('ref', what === 'is gone' ? 1 : 0) },
    ],
  ),
  'a run launches nothing if the branch below the stack cannot be read': {
    ...GUIDED,
    event: layerOn({ base: { ref: 'guided' } }),
    at: { ref: forbidden },
  },
  'outside of a stack, a run reads the guidance from the base branch': {
    ...GUIDED,
    event: layerOn(null),
    ends: sends(GUIDANCE),
  },
});
