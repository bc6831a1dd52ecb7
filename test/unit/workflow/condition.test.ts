import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { truthy } from '@actions/expressions/result';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds, type Situation } from '../../../src/workflow/condition.ts';
import { rounds } from '../../support/rounds.ts';

const PULL_REQUEST: Situation = { event: 'pull_request', repository: 'Acme/shop', succeeded: true };
const AFTER_FAILURE = { ...PULL_REQUEST, succeeded: false };
const wrapped = (text: string) => `\${{ ${text} }}`;

const CHANGE = "github.event_name == 'pull_request'";
const PUSH = "github.event_name == 'push'";
const CONDITIONS: readonly (string | undefined)[] = [
  ...[undefined, '', 'true', 'false', 'always()', 'success()', 'failure()', 'cancelled()', '!always()'],
  ...['!cancelled()', '! cancelled()', 'success() || always()', 'always() || github.actor'],
  ...["github.repository == 'acme/SHOP'", "github.repository == 'acme/other'"],
  ...["'acme' == github.repository_owner", "!cancelled() && github.repository_owner == 'acme'"],
  ...[CHANGE, PUSH, `(${PUSH} || ${CHANGE}) && !false`, `!!(${CHANGE})`, `!(${PUSH} && github.actor == 'x')`],
  ...["github.event_name != 'a || b'", "github.event_name != 'always()'", `github.actor == 'x' && ${PUSH}`],
  // Values that only a run knows.
  ...[
    "!cancelled() && needs.build.result == 'success'",
    `${PUSH} || inputs.force`,
    'always() && github.actor',
  ],
  ...['!github.event.pull_request.draft', "contains(github.event_name, 'pull')", '!github.run_attempt > 1'],
  // Forms that the doctor does not evaluate.
  ...['()', "github.event_name == 'unclosed", `!${PUSH}`, "!(github.event_name) == 'push'"],
  ...['github.event_name == github.event_name', `${'('.repeat(50)}true${')'.repeat(50)}`],
  // Text after the expression makes the condition always true. The author probably meant something else.
  `${wrapped('always()')} && x`,
];

test('a condition holds, does not hold, or cannot be decided from the file alone', async () => {
  const shown = (truth: boolean | undefined) =>
    truth === undefined ? 'cannot be decided' : truth ? 'holds' : 'does not hold';
  const lines = CONDITIONS.map((condition) => {
    const [truth, later] = [PULL_REQUEST, AFTER_FAILURE].map((situation) => holds(condition, situation));
    if (condition && !condition.includes('${{')) {
      expect(holds(wrapped(condition), PULL_REQUEST), condition).toBe(truth);
    }
    const after = truth === later ? '' : `, and after a failure: ${shown(later)}`;
    return `${condition ?? 'no condition'}: ${shown(truth)}${after}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/conditions.txt');
});

test.each([
  ['spaces', `github.actor${' '.repeat(20_000)}x`],
  ['operators', 'a||b&&'.repeat(3_000)],
  ['brackets', `${'('.repeat(10_000)}true${')'.repeat(10_000)}`],
  ['a text that is longer than GitHub accepts', `${' '.repeat(1_000_000)}a${' '.repeat(1_000_000)}b`],
])('a condition that is hard to read ends without a value (%s)', (_what, condition) => {
  // If the time grew faster than the length, this test would reach its time limit.
  expect(holds(condition, PULL_REQUEST)).toBeUndefined();
});

/** What GitHub's own package evaluates for a run. Undefined if it cannot parse the condition. */
function evaluated(
  condition: string,
  run: Readonly<Record<'actor' | 'force' | 'succeeded' | 'failed', boolean>>,
) {
  const states = { always: true, cancelled: false, success: run.succeeded, failure: run.failed };
  const functions = Object.entries(states).map(([name, state]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(state),
  }));
  const text = (value: string) => new data.StringData(value);
  const github = new data.Dictionary(
    { key: 'event_name', value: text('pull_request') },
    { key: 'repository', value: text('Acme/shop') },
    { key: 'repository_owner', value: text('Acme') },
    { key: 'actor', value: text(run.actor ? 'x' : '') },
  );
  const inputs = new data.Dictionary({ key: 'force', value: new data.BooleanData(run.force) });
  const contexts = new data.Dictionary({ key: 'github', value: github }, { key: 'inputs', value: inputs });
  try {
    const { tokens } = new Lexer(condition).lex();
    const tree = new Parser(tokens, ['github', 'inputs'], functions).parse();
    const byName = new Map(functions.map((one) => [one.name, one]));
    const hasState = /\b(?:always|cancelled|failure|success)\(\)/.test(condition.replace(/'[^']*'/g, ''));
    return (hasState || run.succeeded) && truthy(new Evaluator(tree, contexts, byName).evaluate());
  } catch {
    return undefined;
  }
}

test("where the file alone determines the value of a condition, GitHub's own package evaluates the same", () => {
  const atoms = [
    'true',
    'false',
    'always()',
    'cancelled()',
    'success()',
    'failure()',
    'github.actor',
    'inputs.force',
    "'x'",
    "contains(github.event_name, 'pull')",
    ...['github.event_name', 'github.repository', 'github.repository_owner', "'push'"].flatMap((left) =>
      ["'pull_request'", "'ACME/shop'", "'acme'", "'a || b'"].flatMap((right) => [
        `${left} == ${right}`,
        `${right} != ${left}`,
      ]),
    ),
  ];
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...atoms),
      tie('condition').map((one) => `!${one}`),
      tie('condition').map((one) => `(${one})`),
      fc
        .tuple(tie('condition'), fc.constantFrom('&&', '||', '==', '!='), tie('condition'))
        .map((pieces) => pieces.join(' ')),
    ),
  }));
  const run = fc.record({
    actor: fc.boolean(),
    force: fc.boolean(),
    succeeded: fc.boolean(),
    failed: fc.boolean(),
  });
  let compared = 0;
  fc.assert(
    fc.property(condition, run, (text, given) => {
      const one = { ...given, failed: given.failed && !given.succeeded };
      const [truth, expected] = [
        holds(text, { ...PULL_REQUEST, succeeded: one.succeeded }),
        evaluated(text, one),
      ];
      if (truth === undefined || expected === undefined) return;
      expect(truth).toBe(expected);
      compared += 1;
    }),
    { numRuns: rounds(1_000, 30_000) },
  );
  expect(compared).toBeGreaterThan(300);
});
