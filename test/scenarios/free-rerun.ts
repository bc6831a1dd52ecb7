import { expect } from 'vitest';
import { REPOSITORY_ID } from '../../sandbox/runner/job.ts';
import { encodeFreeRerun, joinState, splitState } from '../../src/domain/comment-state.ts';
import { createSeal } from '../../src/domain/seal.ts';
import { readState } from '../../src/github/comment-marker.ts';
import type { Scenario } from './scenario.ts';

/** The id of the gate's run in a scenario. */
export const GATE_RUN_ID = 9_000_000_001;

export interface Signed {
  readonly runId?: number;
  readonly runAttempt?: number;
  readonly repositoryId?: string;
  readonly pullRequest?: number;
  readonly mayRepeat?: boolean;
  readonly apiToken?: string;
}

/** The entry that the sweep leaves for the second attempt of the gate's run. `signed` replaces members of the entry. */
export function freeRerunOf({ environment }: Scenario, signed: Signed = {}): string {
  const { runId = GATE_RUN_ID, runAttempt = 2, mayRepeat = false } = signed;
  const owner = {
    pullRequest: signed.pullRequest ?? environment.pullRequest,
  };
  const seal = createSeal(signed.apiToken ?? environment.service.token, signed.repositoryId ?? REPOSITORY_ID);
  return encodeFreeRerun({ runId, runAttempt, mayRepeat }, owner, seal);
}

/** Sets the entry in the comment of the gate. If `freeRerun` is undefined, removes the entry. */
export async function leaveFreeRerun(scenario: Scenario, freeRerun: string | undefined): Promise<void> {
  await editComment(scenario, (body) => withFreeRerun(body, freeRerun));
}

/**
 * Sets the entry in the hidden state of a comment. If `freeRerun` is undefined, removes the entry.
 * @param body the text of the comment
 * @returns the changed text
 */
export function withFreeRerun(body: string, freeRerun: string | undefined): string {
  const state = readState(body);
  const changed = joinState({ ...splitState(state), freeRerun });
  return body.replace(`<!-- scangate-state ${state} -->`, `<!-- scangate-state ${changed} -->`);
}

/** The entry for a free re-run in the comment of the gate. */
export function freeRerunIn({ environment }: Scenario): string | undefined {
  return splitState(readState(environment.github.comments[0]?.body ?? '')).freeRerun;
}

/** Edits the comment of the gate, as any user with write access can. */
export async function editComment(
  { environment }: Scenario,
  change: (body: string) => string,
): Promise<void> {
  const { github, repository } = environment;
  const [comment] = github.comments;
  const answer = await fetch(`${github.apiUrl}/repos/${repository}/issues/comments/${comment?.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ body: change(comment?.body ?? '') }),
  });
  expect(answer.status).toBe(200);
}
