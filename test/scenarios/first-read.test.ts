import {
  cancelJob,
  changes,
  close,
  failing,
  forbidden,
  hanging,
  limited,
  missing,
  READS,
  refusing,
  retarget,
  showingHead,
  showingInstead,
  withoutBase,
} from './effects.ts';
import { requests } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { pushOf } from './reuse.ts';
import { rowsFor, testScans } from './scan-rows.ts';

const CLEAN = { head: 'clean', driver: 'in process' } as const;
const refused = refusing(422);
const lowHead = showingHead('low');

testScans('first-read', CLEAN, {
  'a re-run compares with the base branch that GitHub shows, and not with that of the event': {
    meanwhile: [changes({ baseRef: 'older' })],
    attempt: 2,
  },
  'a run asks for the tip of the base branch only if GitHub does not show it': { ends: requests('ref', 0) },
  'without GraphQL, a run asks for the tip of the base branch': {
    at: { graphql: missing },
    ends: requests('ref', 1),
  },
  ...rowsFor([401, 403], (status) => [
    `without GraphQL and git, a run reports a wrong setup if GitHub refuses the base branch with ${status}`,
    { at: { graphql: missing, ref: refusing(status), git: forbidden } },
  ]),
  'without GraphQL, a run computes the base by git if GitHub fails to show the base branch': {
    at: { graphql: missing, ref: refused },
  },
  ...rowsFor(['closed', 'merged'] as const, (state) => [
    `a run launches nothing if GitHub shows that the pull request is ${state}`,
    { meanwhile: [changes({ state })] },
  ]),
  'a run launches nothing if the pull request is closed and its base branch is deleted': {
    meanwhile: [close],
    at: { 'graphql 1': withoutBase },
  },
  'a run for the event of a closed pull request launches nothing, although the pull request was reopened': {
    event: { action: 'closed' },
  },
});

// GitHub first shows an older state.
testScans('first-read', CLEAN, {
  'a run uses its event if GitHub shows the head before the push': {
    event: pushOf('clean', 'low'),
    at: { 'graphql 1-4': lowHead },
  },
  'a run reads again until GitHub shows the base branch of an open pull request': {
    at: { 'graphql 1-2': withoutBase },
  },
  'a run reads again until GitHub shows that a pull request without a base branch is closed': {
    at: { 'graphql 1': withoutBase, 'graphql 2': close },
  },
  'a run reads again until GitHub shows another base branch': {
    at: { 'graphql 1': withoutBase, 'graphql 2': retarget },
  },
  ...rowsFor([1, 2], (attempt) => [
    `a run launches nothing if GitHub never shows the base branch of an open pull request (attempt ${attempt})`,
    { at: { graphql: withoutBase }, attempt },
  ]),
  ...rowsFor([404, 422], (status) => [
    `without GraphQL (${status}), a run reads again if GitHub does not find the base branch`,
    { at: { graphql: refusing(status), 'ref 1-3': missing } },
  ]),
  'without GraphQL, a run launches nothing if GitHub never finds the base branch': {
    at: { graphql: missing, ref: missing },
  },
  'a run whose event is used launches nothing if GitHub never finds the base branch': {
    at: { [READS]: refused, ref: missing },
  },
});

// GitHub does not show the pull request.
const SAML = 'Resource protected by organization SAML enforcement.';
const OLD = { event: { updatedAt: '2026-01-15T11:45:00Z' } };
const refusedBySaml = showingInstead(() => ({
  data: { repository: null },
  errors: [{ type: 'FORBIDDEN', message: SAML }],
}));
const ANSWERS = { 429: limited(300), 502: failing, 422: refused };
testScans('first-read', CLEAN, {
  'the first attempt uses an event that is less than 15 minutes old': {
    at: { [READS]: refused },
    event: { updatedAt: '2026-01-15T11:46:00Z' },
    ends: requests('ref', 1),
  },
  'the run for an event that closed the pull request does not ask for the base branch': {
    at: { [READS]: refused },
    event: { action: 'closed' },
    ends: requests('ref', 0),
  },
  ...rowsFor(Object.entries(ANSWERS), ([status, answer]) => [
    `a run launches nothing if GitHub answers ${status} and the event is old`,
    { at: { [READS]: answer }, ...OLD },
  ]),
  ...rowsFor(Object.entries(ANSWERS), ([status, answer]) => [
    `a re-run launches nothing if GitHub answers ${status}, because its event does not count`,
    { at: { [READS]: answer }, attempt: 2 },
  ]),
  'under a rate limit, a run uses the head and the base branch of the event': {
    at: { [READS]: refusing(403, 'rate limit', { 'x-ratelimit-remaining': '0' }) },
  },
  ...rowsFor([1, 2], (attempt) => [
    `a run reports a wrong setup if GitHub rejects the token (attempt ${attempt})`,
    { at: { [READS]: refusing(401) }, attempt },
  ]),
  ...rowsFor([403, 404], (status) => [
    `a run quotes a refusal for another reason, and advises no permission (REST: ${status})`,
    { at: { graphql: refusedBySaml, 'pulls.read': refusing(status, status === 403 ? SAML : 'Not Found') } },
  ]),
  ...rowsFor([1, 2], (attempt) => [
    `attempt ${attempt} of a run repeats the request for a pull request that GitHub does not find`,
    // The last two are for the comment.
    { at: { [READS]: missing }, attempt, ends: requests(READS, attempt === 1 ? 10 : 4) },
  ]),
  'a run scans a pull request that GitHub does not find at first': { at: { [`${READS} 1-4`]: missing } },
  'a run that times out during its first read launches nothing': {
    at: { [READS]: hanging },
    inputs: { 'timeout-minutes': '1', ...EVERYTHING_ALLOWED },
  },
  'a run that is cancelled during its first read launches nothing': {
    at: { 'graphql 1': [cancelJob, hanging] },
    inputs: EVERYTHING_ALLOWED,
  },
});

// A later read replaces the first read.
const WAITS = { 'presets 1': limited(60), 'scans.launch 1': limited(60) };
testScans('first-read', CLEAN, {
  'a run launches nothing if its third read shows another head, at the same time as the second read': {
    at: { ...WAITS, 'graphql 3': lowHead },
  },
  'a run launches if its third read fails, and the second has shown no change': {
    at: { ...WAITS, 'graphql 3': refusing(401), 'pulls.read 1': refusing(401) },
  },
  'a run launches if a read during a long wait fails, and no earlier read has shown a change': {
    at: { 'presets 1': limited(60), 'graphql 2': refusing(401), 'pulls.read 1': refusing(401) },
  },
});

// A public repository needs no permission.
const NO_PERMISSION = {
  head: 'clean',
  github: { permissions: { contents: 'read', checks: 'write' } },
} as const;
testScans('first-read', NO_PERMISSION, {
  ...rowsFor([1, 2], (attempt) => [
    `a run that may not read the pull request reports a configuration error (attempt ${attempt})`,
    { inputs: EVERYTHING_ALLOWED, attempt },
  ]),
  'a run needs no permission to read a pull request of a public repository': { visibility: 'public' },
});
