import { describe, expect, test } from 'vitest';
import type { Interception } from '../../../sandbox/faults/interception.ts';
import type { Scenario } from '../scenario.ts';
import { type During, seen } from './blocked-pull-request.ts';
import { ask, labels, open, patches, plain } from './change-command.ts';

const NO: Interception = { status: 403, body: { message: 'No' } };

/** Makes GitHub answer the n-th request of this kind with `answerOf(n)`. */
function atNth(point: string, answerOf: (count: number) => Interception | undefined): During {
  let count = 0;
  return {
    github: (request) => {
      if (request.point !== point) return undefined;
      count += 1;
      return answerOf(count);
    },
  };
}

/** The texts of the replies without their markup, in the order of the conversation. */
function repliesOf(scenario: Scenario): readonly string[] {
  return seen(scenario).replies.map(plain);
}

describe('the reply', () => {
  test('the next command updates the reply', async () => {
    const scenario = await open();
    const [first = '', second = ''] = labels(scenario);
    await ask(scenario, `/scangate false-positive ${first} not_reachable`);
    await ask(scenario, `/scangate wont-fix ${second}`, { author: 'ada' });
    const [reply = '', ...others] = repliesOf(scenario);
    expect(others).toEqual([]);
    expect(reply).toMatch(/set to WONT_FIX\*\* by ada/);
    expect(reply).not.toContain(first);
  });

  test('the reply shows the reason code, and links to the run of the gate', async () => {
    const scenario = await open();
    await ask(scenario, `/scangate mitigated ${labels(scenario).join(' ')} monitored`);
    expect(repliesOf(scenario)[0]).toMatch(/set to MITIGATED\*\* \(monitored\) by wanda/);
    expect(repliesOf(scenario)[0]).toMatch(/\[The job of the gate\]\(.*\/actions\/runs\/9000000001\)/);
  });

  test('a refused command updates the reply', async () => {
    const scenario = await open();
    scenario.environment.github.edit(7, { author: 'wanda' });
    await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    await ask(scenario, '/scangate recheck', { createdAt: new Date(0) });
    const [reply = '', ...others] = repliesOf(scenario);
    expect(others).toEqual([]);
    expect(reply).toMatch(/^<!--[^>]*-->\n\*\*Not re-run\.\*\*/);
  });

  test('of two commands at the same time, the reply shows the answer that was written last', async () => {
    let isFirst = true;
    const scenario = await open({
      github: ({ point }) => {
        // The other run starts when this run posts its reply.
        if (point === 'comments.create' && isFirst) {
          isFirst = false;
          other = ask(scenario, `/scangate wont-fix ${labels(scenario)[1]}`, { author: 'ada' });
        }
        return undefined;
      },
    });
    let other: Promise<unknown> | undefined;
    await ask(scenario, `/scangate mitigated ${labels(scenario)[0]}`);
    await other;
    expect(repliesOf(scenario)).toHaveLength(1);
    expect(repliesOf(scenario)[0]).toContain(labels(scenario)[1]);
  });

  test('the reply is posted once even if the answer to the first attempt is lost', async () => {
    const scenario = await open(
      atNth('comments.create', (count) => (count === 1 ? { fault: 'reset-after' } : undefined)),
    );
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    expect(ended.exitCode, ended.log).toBe(0);
    expect(repliesOf(scenario)).toHaveLength(1);
  });

  test('the reply is posted once even if the first attempt does not reach GitHub', async () => {
    const scenario = await open(
      atNth('comments.create', (count) => (count === 1 ? { fault: 'reset-before' } : undefined)),
    );
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    expect(ended.exitCode, ended.log).toBe(0);
    expect(repliesOf(scenario)).toHaveLength(1);
  });

  test.each([
    ['cannot be edited', atNth('comments.update', () => NO)],
    ['was removed at the same time', atNth('comments.update', () => ({ status: 404, body: {} }))],
  ])('a reply is posted as a new comment if the old reply %s', async (_what, during) => {
    const scenario = await open(during);
    const [first, second] = labels(scenario);
    await ask(scenario, `/scangate wont-fix ${first}`);
    const ended = await ask(scenario, `/scangate mitigated ${second}`);
    expect(ended.exitCode, ended.log).toBe(0);
    expect(repliesOf(scenario)).toHaveLength(2);
    expect(repliesOf(scenario)[1]).toContain(second);
  });

  test('a reply is posted as a new comment if no comment can be read', async () => {
    let isDown = false;
    const scenario = await open({
      github: ({ point, body }) => {
        const asksComments = point === 'comments.list' || JSON.stringify(body ?? '').includes('comments(');
        return isDown && asksComments && patches(scenario).length > 1 ? NO : undefined;
      },
    });
    const [first, second] = labels(scenario);
    await ask(scenario, `/scangate wont-fix ${first}`);
    isDown = true;
    const ended = await ask(scenario, `/scangate mitigated ${second}`);
    expect(ended.log).toBeDefined();
    expect(repliesOf(scenario)).toHaveLength(2);
    expect(repliesOf(scenario)[1]).toContain(second);
  });

  test.each([
    ['another user', 'mallory', 'User'],
    ['another app', 'other[bot]', 'Bot'],
  ] as const)('a command does not edit a copy of the reply that %s posted', async (_what, author, type) => {
    const scenario = await open();
    const { github } = scenario.environment;
    const [first, second] = labels(scenario);
    await ask(scenario, `/scangate wont-fix ${first}`);
    const [own] = seen(scenario).replies;
    const copied = github.addComment({ issue: 7, author, type, body: own ?? '' });
    await ask(scenario, `/scangate mitigated ${second}`);
    expect(repliesOf(scenario)).toHaveLength(1);
    expect(repliesOf(scenario)[0]).toContain(second);
    expect(github.comments.find(({ id }) => id === copied.id)?.body).toBe(own);
  });

  test('a reply does not repeat what another user wrote into the earlier reply', async () => {
    const scenario = await open();
    const { github } = scenario.environment;
    const [first, second] = labels(scenario);
    await ask(scenario, `/scangate wont-fix ${first}`);
    const own = github.comments.find(({ body }) => body.startsWith('<!-- scangate-reply'));
    Object.assign(own ?? {}, { body: `${own?.body}\n@everyone` });
    await ask(scenario, `/scangate mitigated ${second}`);
    expect(repliesOf(scenario)).toHaveLength(1);
    expect(repliesOf(scenario)[0]).toContain(second);
    expect(repliesOf(scenario)[0]).not.toContain('@everyone');
  });

  test('a command does not edit the reply to a command for another check name', async () => {
    const scenario = await open();
    await ask(scenario, '/scangate help', { inputs: { 'check-name': 'Other' } });
    await ask(scenario, '/scangate help');
    expect(repliesOf(scenario)).toHaveLength(2);
  });

  test('a reply never replaces the comment of the gate', async () => {
    const scenario = await open();
    const before = scenario.environment.github.comments.map(({ body }) => body);
    await ask(scenario, '/scangate help');
    expect(scenario.environment.github.comments.map(({ body }) => body)).toEqual(
      expect.arrayContaining(before),
    );
  });
});
