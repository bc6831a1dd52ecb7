import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operationsOf } from '../../../sandbox/contract/operations.ts';
import { readContract } from '../../../sandbox/contract/read-contract.ts';
import { isObject, objectAt } from '../../../sandbox/json.ts';
import { rounds } from '../../support/rounds.ts';
import { at, type Harness, start, textAt } from '../scan-service/harness.ts';
import { type Known, validRequests } from './valid-requests.ts';

const contract = readContract();
/** The documented answers of each endpoint by status. */
const ANSWERS = new Map(
  operationsOf(contract).map(({ method, path }) => {
    const operation = objectAt(objectAt(objectAt(contract, 'paths'), path), method.toLowerCase());
    return [`${method} ${path}`, objectAt(operation, 'responses')];
  }),
);
const SCANS = '/projects/{project}/scans';

/**
 * Every test checks that answers keep to the contract (`test/support/contract-guard.ts`). This test also checks that
 * the contract lists each refusal.
 *
 * An endpoint may answer 400 to a valid request only if the contract describes this 400 for the endpoint itself. The
 * general `BadRequest` does not count.
 */
test('the contract lists every refusal that a valid request can get', async () => {
  const harness = await start({
    credits: Number.MAX_SAFE_INTEGER,
    tokens: [{ requestCeiling: { requests: Number.MAX_SAFE_INTEGER, windowSeconds: 60 } }],
  });
  const known = await fill(harness);
  const seen = new Set<string>();
  const property = fc.asyncProperty(
    validRequests(contract, known),
    async ({ endpoint, method, path, body }) => {
      const { status, body: answer } = await harness.call(method, path, body);
      seen.add(`${endpoint} ${status}`);
      if (status < 400) return;
      const answers = ANSWERS.get(endpoint) ?? {};
      const documented = status === 400 ? !isGeneral(answers[status]) : Object.hasOwn(answers, status);
      expect(documented, `${endpoint}: ${status} ${JSON.stringify(answer)}`).toBe(true);
    },
  );
  await fc.assert(property, { seed: 15, numRuns: rounds(150, 3_000) });
  const succeeded = [...seen].filter((one) => / 2\d\d$/.test(one));
  expect(succeeded.length, succeeded.join('\n')).toBeGreaterThanOrEqual(18);
});

/** Whether an answer is the general `BadRequest` that all endpoints share. */
function isGeneral(answer: unknown): boolean {
  return isObject(answer) && answer['$ref'] === '#/components/responses/BadRequest';
}

/** Fills the service with findings, a note, audit areas, and scans in three states. Returns values for requests. */
async function fill({ service, repository, call, launch, finish }: Harness): Promise<Known> {
  const completed = await launch();
  await finish(completed);
  const cancelled = await launch();
  await call('POST', `${SCANS}/${cancelled}/cancel`);
  const queued = [await launch(), await launch(), await launch()];
  for (const scanId of queued) service.control.hold(scanId);
  const listed = await call('GET', `/projects/{project}/findings?scanId=${completed}`);
  const findingId = textAt(listed.body, 'items', 0, 'id');
  const note = await call('POST', `/projects/{project}/findings/${findingId}/notes`, { content: 'Seen.' });
  const areasUrl = `/projects/{project}/repositories/${service.repositories[0]?.id}/audit-areas`;
  await call('POST', areasUrl, { name: 'Sign-in' });
  const areas = at((await call('GET', areasUrl)).body, 'areas');
  const keys = (Array.isArray(areas) ? areas : []).map((area) => textAt(area, 'key'));
  const commits = [repository.id('base'), repository.id('vulnerable')];
  const notes = [textAt(note.body, 'note', 'noteId')];
  return {
    projectId: [service.project.id],
    repositoryId: service.repositories.map(({ id }) => id),
    presetRef: service.presets.map(({ ref }) => ref),
    scanId: [completed, cancelled, ...queued],
    findingId: [findingId, `ZK-${findingId.slice(-8)}`],
    noteId: notes,
    existingNoteId: notes,
    areaKey: keys,
    auditAreaKeys: keys,
    baseCommit: commits,
    commit: commits,
    branch: ['main', 'feature'],
    reason: ['fixed_in_code', 'monitored', 'not_reachable', 'risk_accepted', 'same_root_cause'],
  };
}
