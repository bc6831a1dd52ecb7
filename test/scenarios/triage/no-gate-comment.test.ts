import { describe, expect, test } from 'vitest';
import { blockedPullRequest, type During, seen } from './blocked-pull-request.ts';
import { ask, labels, patches, plain } from './change-command.ts';

const TOKENS = { tokens: [{}, { scopes: ['read', 'findings:write'] }] } as const;

/** Creates a pull request that the gate blocked without writing a comment. */
function quiet(during: During = {}) {
  return blockedPullRequest({ service: TOKENS, inputs: { comment: 'never' } }, {}, during);
}

describe('a command for a gate with `comment: never`', () => {
  test('a command for a gate with `comment: never` re-runs the job if every finding of the scan is closed', async () => {
    const scenario = await quiet();
    const ended = await ask(scenario, `/scangate false-positive ${labels(scenario).join(' ')}`);
    expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '1' } });
    expect(seen(scenario)).toMatchObject({ attempt: 2, reactions: ['+1'] });
  });

  test('a command for a gate with `comment: never` re-runs no job while findings are open', async () => {
    const scenario = await quiet();
    const [first, ...others] = labels(scenario);
    const ended = await ask(scenario, `/scangate false-positive ${first}`);
    expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
    expect(plain(seen(scenario).replies[0])).toMatch(
      new RegExp(
        `is not re-run\\. .*${others.length} findings of this scan are still open.*\\/scangate recheck`,
      ),
    );
  });
});

test('a command finds the comment of a gate that has its own GitHub token', async () => {
  const scenario = await blockedPullRequest({
    service: TOKENS,
    inputs: { 'fail-on': 'critical', 'severity-threshold': 'critical' },
  });
  const { github } = scenario.environment;
  const gate = github.comments.find(({ body }) => body.startsWith('<!-- scangate:v1'));
  Object.assign(gate ?? {}, { author: 'gate-app[bot]' });
  // The comment of the gate shows the label of the only finding that blocks.
  const [blocking = ''] = labels(scenario).filter((label) => gate?.body.includes(label));
  const ended = await ask(scenario, `/scangate wont-fix ${blocking}`);
  expect(patches(scenario)).toHaveLength(1);
  expect(ended, ended.log).toMatchObject({ exitCode: 0, outputs: { rerun: '1' } });
});
