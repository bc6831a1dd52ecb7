import { describe, expect, test } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { asBlocked, blockedPullRequest, minutesLater, seen, writeComment } from './blocked-pull-request.ts';
import { ask, labels, onPatch, open, patches, plain } from './change-command.ts';

test('a command changes no finding if GitHub lists the commits of another head', async () => {
  const scenario = await open();
  // An author can cause this by a force push after the action has read the pull request. GitHub then lists the commits
  // of the new head. The author's own commit can be missing there.
  scenario.environment.github.edit(7, { commits: [{ author: 'octocat', sha: 'd'.repeat(40) }] });
  const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
  expect(patches(scenario), ended.log).toEqual([]);
  expect(plain(seen(scenario).replies[0])).toContain('another head commit');
});

describe('while the job of the gate runs', () => {
  test('a command changes no finding while the job of the gate runs, and the reply says to wait', async () => {
    const scenario = await open();
    asBlocked(scenario, { status: 'in_progress', jobs: [['scangate', 'failure']] });
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    expect(patches(scenario), ended.log).toEqual([]);
    expect(plain(seen(scenario).replies[0])).toMatch(/is under way.*new comment/);
  });

  test.each([
    [
      'a reopening command says that the findings do not count yet',
      'reopen',
      /under way.*then write the command in a new comment.*does not count the reopened findings/,
    ],
    ['a closing command says what to do if the check fails', 'wont-fix', /under way.*still fails.*recheck/],
  ])('if the gate starts during the command, the reply to %s', async (_what, word, says) => {
    let scenario: Scenario | undefined;
    scenario = await open(
      onPatch(() => {
        scenario?.environment.github.workflowRuns.put({
          id: 42,
          headSha: scenario.headSha,
          status: 'queued',
        });
        return undefined;
      }),
    );
    const ended = await ask(scenario, `/scangate ${word} ${labels(scenario).join(' ')}`);
    expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
    expect(plain(seen(scenario).replies[0])).toMatch(says);
    expect(seen(scenario).attempt).toBe(1);
  });
});

/** Sends an older command again, after `between`. @returns what the older command did */
async function overlapping(scenario: Scenario, between: () => Promise<unknown>) {
  const { environment } = scenario;
  const body = `/scangate false-positive ${labels(scenario)[0]}`;
  const older = writeComment(scenario, { body, createdAt: minutesLater(scenario, 5) });
  await between();
  const sent = patches(scenario).length;
  const ended = await environment.run({
    action: 'triage',
    event: older,
    runId: 8_000_000_002,
    inputs: { 'triage-token': environment.service.tokens[1]?.token ?? '' },
  });
  return { ended, sent: patches(scenario).slice(sent) };
}

describe('commands that overlap', () => {
  test('an older command changes no finding that a later command has changed', async () => {
    const scenario = await open();
    const { sent, ended } = await overlapping(scenario, () =>
      ask(scenario, `/scangate mitigated ${labels(scenario)[0]}`),
    );
    expect(sent, ended.log).toEqual([]);
    expect(plain(seen(scenario).replies[0])).toContain('A later command has changed this finding.');
    expect(ended).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
  });

  test('a later command about another finding does not stop an older command', async () => {
    const scenario = await open();
    const { sent, ended } = await overlapping(scenario, () =>
      ask(scenario, `/scangate mitigated ${labels(scenario)[1]}`),
    );
    expect(sent, ended.log).toHaveLength(1);
  });
});

test('a command whose comment is deleted during its first change changes no other finding', async () => {
  let isGone = false;
  const scenario = await open({
    service: ({ point }) => {
      if (point === 'findings.resolution') isGone = true;
      return undefined;
    },
    github: ({ point }) =>
      isGone && point === 'comments.read' ? { status: 404, body: { message: 'Not Found' } } : undefined,
  });
  const [first = '', second = ''] = labels(scenario);
  const ended = await ask(scenario, `/scangate wont-fix ${first} ${second}`);
  expect(patches(scenario), ended.log).toHaveLength(1);
  const rows = plain(seen(scenario).replies[0]).split('\n');
  expect(rows.find((line) => line.includes(first))).toContain('Set to WONT_FIX');
  expect(rows.find((line) => line.includes(second))).toContain('Not changed. The comment was deleted.');
  expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
});

test("the service's clock does not decide whether a result is newer than a command", async () => {
  const clock = { now: () => new Date('2040-01-01') };
  const scenario = await blockedPullRequest({
    service: { tokens: [{}, { scopes: ['read', 'findings:write'] }], clock },
  });
  const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
  expect(patches(scenario), ended.log).toHaveLength(1);
});
