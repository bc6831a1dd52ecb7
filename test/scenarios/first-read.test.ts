import { describe } from 'vitest';
import {
  cancelJob,
  changes,
  close,
  failing,
  forbidden,
  hanging,
  limited,
  push,
  refusing,
  retarget,
  showing,
  showingInstead,
} from './effects.ts';
import {
  checkRuns,
  closedAfter,
  endedAs,
  exits,
  notScanned,
  omits,
  outputs,
  paid,
  passed,
  requests,
  says,
  supersededBy,
} from './ends.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import { pushed } from './reuse.ts';
import { testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

/** The reads of the pull request. A failed read sends three requests by GraphQL and three by REST. */
const READS = 'graphql|pulls.read';
const CLEAN = { head: 'clean', driver: 'in process' } as const;
const notFound = refusing(404, 'Not Found');
const withoutBase = showing([/"baseRef":\{[^}]*\}\}/, '"baseRef":null']);
const lowHead: Act = ({ scenario: { repository } }) =>
  showing([/(?<="headRefOid":")[0-9a-f]+/, repository.id('low')]);
/** The event of a push that replaced the head `low`. */
const replacingLow = {
  event: ({ scenario }: Parameters<Act>[0]) =>
    pushed(scenario, scenario.repository.id('low'), scenario.headSha),
};

describe('the first read of the pull request', () => {
  testRuns([
    {
      name: 'a re-run compares with the base branch that GitHub shows, and not with that of the event',
      ...CLEAN,
      meanwhile: [changes({ baseRef: 'older' })],
      attempt: 2,
      ends: [passed, outputs(({ repository }) => ({ 'base-commit': repository.id('behind') }))],
    },
    {
      name: 'a run asks for the tip of the base branch only if GitHub does not show it',
      ...CLEAN,
      ends: [passed, requests('ref', 0)],
    },
    {
      name: 'without GraphQL, a run asks for the tip of the base branch',
      ...CLEAN,
      at: { graphql: notFound },
      ends: [passed, omits('##[warning]'), requests('ref', 1)],
    },
    ...(
      [
        [401, 'configuration', '`github-token`'],
        [403, 'configuration', '`contents: read`'],
      ] as const
    ).map(([status, reason, text]) => ({
      name: `without GraphQL and git, a run reports a wrong setup if GitHub refuses the base branch with ${status}`,
      ...CLEAN,
      at: { graphql: notFound, ref: status === 403 ? forbidden : refusing(status), git: forbidden },
      ends: [endedAs(reason), exits(1), says(text), paid(0)],
    })),
    {
      name: 'without GraphQL, a run computes the base by git if GitHub fails to show the base branch',
      ...CLEAN,
      at: { graphql: notFound, ref: refusing(422) },
      ends: [passed],
    },
    ...(['closed', 'merged'] as const).map((state) => ({
      name: `a run launches nothing if GitHub shows that the pull request is ${state}`,
      ...CLEAN,
      meanwhile: [changes({ state })],
      ends: closedAfter(0),
    })),
    {
      name: 'a run launches nothing if the pull request is closed and its base branch is deleted',
      ...CLEAN,
      meanwhile: [close],
      at: { 'graphql 1': withoutBase },
      ends: closedAfter(0),
    },
    {
      name: 'a run for the event of a closed pull request launches nothing, although the pull request was reopened',
      ...CLEAN,
      event: { action: 'closed' },
      ends: [endedAs('unsupported-event'), paid(0), says('reopened')],
    },
  ]);
});

describe('GitHub first shows an older state', () => {
  testRuns([
    {
      name: 'a run uses its event if GitHub shows the head before the push',
      ...CLEAN,
      ...replacingLow,
      at: { 'graphql 1-4': lowHead },
      ends: [passed, says('older state'), paid(1)],
    },
    {
      name: 'a run reads again until GitHub shows the base branch of an open pull request',
      ...CLEAN,
      at: { 'graphql 1-2': withoutBase },
      ends: [passed, omits('##[warning]')],
    },
    {
      name: 'a run reads again until GitHub shows that a pull request without a base branch is closed',
      ...CLEAN,
      at: { 'graphql 1': withoutBase, 'graphql 2': close },
      ends: closedAfter(0),
    },
    {
      name: 'a run reads again until GitHub shows another base branch',
      ...CLEAN,
      at: { 'graphql 1': withoutBase, 'graphql 2': retarget },
      ends: [passed, paid(1)],
    },
    ...[1, 2].map((attempt) => ({
      name: `a run launches nothing if GitHub never shows the base branch of an open pull request (attempt ${attempt})`,
      ...CLEAN,
      at: { graphql: withoutBase },
      attempt,
      ends: notScanned('service-error', { launches: 0, texts: ['but not its base branch "main"'] }),
    })),
    ...[notFound, refusing(422)].map((answer, index) => ({
      name: `without GraphQL, a run reads again if GitHub does not find the base branch (${index === 0 ? 'pull request shown' : 'after an error'})`,
      ...CLEAN,
      at: { graphql: answer, 'ref 1-3': notFound },
      ends: [passed, omits('##[warning]')],
    })),
    {
      name: 'without GraphQL, a run launches nothing if GitHub never finds the base branch',
      ...CLEAN,
      at: { graphql: notFound, ref: notFound },
      ends: notScanned('service-error', { launches: 0, texts: ['but not its base branch "main"'] }),
    },
    {
      name: 'a run whose event is used launches nothing if GitHub never finds the base branch',
      ...CLEAN,
      at: { [READS]: refusing(422), ref: notFound },
      ends: notScanned('service-error', { launches: 0, texts: ['but not its base branch "main"'] }),
    },
  ]);
});

describe('GitHub does not show the pull request', () => {
  const SAML = 'Resource protected by organization SAML enforcement.';
  const OLD = { event: { updatedAt: '2026-01-15T11:45:00Z' } };
  testRuns([
    {
      name: 'the first attempt uses an event that is less than 15 minutes old',
      ...CLEAN,
      at: { [READS]: refusing(422) },
      event: { updatedAt: '2026-01-15T11:46:00Z' },
      ends: [passed, says('less than 15 minutes old'), requests('ref', 1)],
    },
    {
      name: 'the run for an event that closed the pull request does not ask for the base branch',
      ...CLEAN,
      at: { [READS]: refusing(422) },
      event: { action: 'closed' },
      ends: [endedAs('unsupported-event'), requests('ref', 0)],
    },
    ...[limited(300), failing, refusing(422)].flatMap((answer, index) =>
      [OLD, { attempt: 2 }].map((how) => ({
        name: `a run launches nothing if GitHub fails and the event does not count (answer ${[429, 502, 422][index]}, ${how === OLD ? 'old event' : 're-run'})`,
        ...CLEAN,
        at: { [READS]: answer },
        ...how,
        ends: notScanned('service-error', { launches: 0, texts: ['Re-run this job later'] }),
      })),
    ),
    ...[1, 2].map((attempt) => ({
      name: `a run reports a wrong setup if GitHub rejects the token (attempt ${attempt})`,
      ...CLEAN,
      at: { [READS]: refusing(401) },
      attempt,
      ends: notScanned('configuration', { launches: 0, texts: ['Check github-token'] }),
    })),
    ...[403, 404].map((status) => ({
      name: `a run quotes a refusal for another reason, and advises no permission (REST: ${status})`,
      ...CLEAN,
      at: {
        graphql: showingInstead(() => ({
          data: { repository: null },
          errors: [{ type: 'FORBIDDEN', message: SAML }],
        })),
        'pulls.read': refusing(status, status === 403 ? SAML : 'Not Found'),
      },
      ends: [
        notScanned('configuration', { launches: 0, texts: [SAML, 'single sign-on'] }),
        omits('pull-requests: read'),
      ],
    })),
    ...(
      [
        [1, 10],
        [2, 4],
      ] as const
    ).map(([attempt, count]) => ({
      name: `attempt ${attempt} of a run sends ${count} requests for a pull request that GitHub does not find`,
      ...CLEAN,
      at: { [READS]: notFound },
      attempt,
      // The last two are for the comment.
      ends: [
        notScanned('configuration', { launches: 0, texts: ['A re-run keeps the old permissions'] }),
        requests(READS, count),
      ],
    })),
    {
      name: 'a run that times out during its first read launches nothing',
      ...CLEAN,
      at: { [READS]: hanging },
      inputs: { 'timeout-minutes': '1', ...EVERYTHING_ALLOWED },
      ends: [endedAs('timeout'), paid(0), says('before it launched a scan')],
    },
    {
      name: 'a run that is cancelled during its first read launches nothing',
      ...CLEAN,
      at: { 'graphql 1': [cancelJob, hanging] },
      inputs: EVERYTHING_ALLOWED,
      ends: [endedAs('scan-cancelled'), exits(1), paid(0)],
    },
  ]);
});

describe('a later read replaces the first read', () => {
  testRuns([
    {
      name: 'a run launches nothing if a read during a long wait shows a push, and the next read fails',
      ...CLEAN,
      at: { 'presets 1': limited(60), 'graphql 2': [push] },
      ends: supersededBy('now has another head'),
    },
    {
      name: 'a run launches nothing if its third read shows another head, at the same time as the second read',
      ...CLEAN,
      at: { 'presets 1': limited(60), 'scans.launch 1': limited(60), 'graphql 3': lowHead },
      ends: supersededBy('now has another head', 1),
    },
    {
      name: 'a run launches if its third read fails, and the second has shown no change',
      ...CLEAN,
      at: {
        'presets 1': limited(60),
        'scans.launch 1': limited(60),
        'graphql 3': refusing(401),
        'pulls.read 1': refusing(401),
      },
      ends: passed,
    },
    {
      name: 'a run launches if a read during a long wait fails, and no earlier read has shown a change',
      ...CLEAN,
      at: { 'presets 1': limited(60), 'graphql 2': refusing(401), 'pulls.read 1': refusing(401) },
      ends: [passed, checkRuns({ conclusion: 'success' })],
    },
  ]);
});
