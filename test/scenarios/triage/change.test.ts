import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { countOf, expectPaid } from '../reuse.ts';
import { type CommentChanges, seen, triage } from './blocked-pull-request.ts';
import { ask, labels, open, patches, plain } from './change-command.ts';

describe('a command that closes findings', () => {
  test('a command closes all findings with a note, and then re-runs the job', async () => {
    const scenario = await open();
    const all = labels(scenario);
    const ended = await ask(
      scenario,
      `/scangate false-positive ${all.join(' ')} not_reachable\nOnly **tests** call it.`,
    );
    expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '1' } });
    const sent = patches(scenario);
    expect(sent).toHaveLength(all.length);
    expect(sent[0]?.note).toMatch(/^Set to FALSE_POSITIVE by wanda/);
    expect(sent[0]?.note).toContain('- Reason code: not_reachable');
    expect(sent[0]?.note).toContain(scenario.headSha);
    expect(sent[0]?.note).toMatch(/\n\n> Only \*\*tests\*\* call it\.$/);
    const { attempt, reactions, replies } = seen(scenario);
    expect([attempt, reactions, replies.length]).toEqual([2, ['+1'], 1]);
    expect(plain(replies[0])).toMatch(/set to FALSE_POSITIVE.*by wanda[\s\S]*runs again/);
    for (const label of all) expect(plain(replies[0])).toContain(label);
    expectPaid(scenario, 1);
    // The gate and the command have each asked once for the project of the token.
    expect(countOf(scenario, 'service', 'token')).toBe(2);
  });

  test('a command does not re-run the job while another finding blocks', async () => {
    const scenario = await open();
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
    expect(patches(scenario).map((one) => one.status)).toEqual(['WONT_FIX']);
    expect(seen(scenario)).toMatchObject({ attempt: 1, reactions: ['+1'] });
    expect(plain(seen(scenario).replies[0])).toMatch(
      /is not re-run\. Of \d+ blocking findings, \d+ (is|are) still open/,
    );
  });

  test('a command that reopens a finding re-runs a job that had passed', async () => {
    const scenario = await open();
    triage(scenario);
    scenario.environment.github.workflowRuns.put({
      ...scenario.environment.github.workflowRuns.all[0],
      id: 9_000_000_001,
      headSha: scenario.headSha,
      jobs: [['scangate', 'success']],
    });
    const ended = await ask(scenario, `/scangate reopen ${labels(scenario)[0]}`);
    expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '1' } });
    expect(patches(scenario).map((one) => one.status)).toEqual(['NOT_STARTED']);
  });

  test.each([
    ['a word', (all: readonly string[]) => `${all.join(' ')} because`, /because/],
    ['an unknown label', (all: readonly string[]) => `${all.join(' ')} ZK-NOTTHERE`, /ZK-NOTTHERE/],
    ['an option', (all: readonly string[]) => `${all[0]} --all`, /--all/],
    ['a wildcard', (all: readonly string[]) => `${all[0]} *`, /\*/],
    [
      'a second command on its line',
      (all: readonly string[]) => `${all[0]} /scangate reopen ${all[1]}`,
      /\/scangate, reopen/,
    ],
    ['markup', (all: readonly string[]) => `${all[0]} **@acme/all**`, /\*\*@acme\/all\*\*/],
  ])(
    'a command with %s that is no label changes nothing, and the reply names it',
    async (_what, line, says) => {
      const scenario = await open();
      const ended = await ask(scenario, `/scangate mitigated ${line(labels(scenario))}`);
      expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
      expect(patches(scenario)).toEqual([]);
      expect(seen(scenario)).toMatchObject({ attempt: 1, reactions: ['confused'] });
      const reply = plain(seen(scenario).replies[0]);
      expect(reply).toMatch(
        /No finding was changed.*neither the label of a finding of this scan nor a reason code/,
      );
      expect(reply).toMatch(says);
    },
  );

  test.each(['private', 'public'])(
    'in a %s repository, the reply names the title of each finding',
    async (visibility) => {
      const scenario = await open();
      const { service } = scenario.environment;
      const [label = ''] = labels(scenario);
      await ask(scenario, `/scangate wont-fix ${label}`, {
        payload: (payload) => ({ ...payload, repository: { ...Object(payload['repository']), visibility } }),
      });
      const id = service.scans()[0]?.findingIds[0] ?? '';
      const answer = await fetch(`${service.baseUrl}/projects/${service.project.id}/findings/${id}`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      const { finding } = v.parse(
        v.object({ finding: v.object({ title: v.string() }) }),
        await answer.json(),
      );
      const row = plain(seen(scenario).replies[0])
        .split('\n')
        .find((line) => line.includes(label));
      expect(row).toContain(finding.title);
      expect(row).toContain('Set to WONT_FIX');
    },
  );

  test('a command that names a finding three times changes the finding once', async () => {
    const scenario = await open();
    const [label = ''] = labels(scenario);
    await ask(scenario, `/scangate duplicate ${label} ${label.toLowerCase()} ${label.slice(3)}`);
    expect(patches(scenario)).toHaveLength(1);
  });
});

describe('a refused command', () => {
  test.each<[what: string, body: string, changes: CommentChanges, says: RegExp]>([
    ['its name is unknown', '/scangate dismiss ZK-1', {}, /no command dismiss.*\/scangate false-positive/],
    ['it names no finding', '/scangate wont-fix', {}, /names no finding/],
    [
      'it names 21 findings',
      `/scangate wont-fix ${Array.from({ length: 21 }, (_, i) => `ZK-${i}`).join(' ')}`,
      {},
      /names 21 findings. A command takes up to 20/,
    ],
    [
      'its reason code is for another command',
      '/scangate wont-fix ZK-1 not_reachable',
      {},
      /not a reason code of wont-fix/,
    ],
    [
      '`triage-token` is empty',
      '/scangate wont-fix ZK-1',
      { inputs: { 'triage-token': '' } },
      /triage-token is empty/,
    ],
    [
      'the result of the gate is newer than the comment',
      '/scangate wont-fix ZK-1',
      { createdAt: new Date(0) },
      /newer than the comment/,
    ],
  ])('a command is refused if %s', async (_what, body, changes, says) => {
    const scenario = await open();
    const ended = await ask(scenario, body, changes);
    expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
    expect(patches(scenario)).toEqual([]);
    expect(seen(scenario).reactions).toEqual(['confused']);
    expect(plain(seen(scenario).replies[0])).toMatch(says);
  });

  test('a re-run of the triage workflow does not repeat a command', async () => {
    const scenario = await open();
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`, { runAttempt: 2 });
    expect(ended.exitCode).toBe(1);
    expect([patches(scenario), seen(scenario).replies]).toEqual([[], []]);
  });
});

test('a command fails if its reply cannot be written', async () => {
  const scenario = await open({
    github: ({ point }) =>
      point === 'comments.create' ? { status: 403, body: { message: 'No' } } : undefined,
  });
  expect((await ask(scenario, '/scangate help')).exitCode).toBe(1);
});
