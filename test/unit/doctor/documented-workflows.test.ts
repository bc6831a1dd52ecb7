import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { read } from '../../project/code.ts';
import { EXAMPLES, readExample } from '../../project/examples.ts';
import { look } from './look.ts';
import { requires, requiresWorkflow } from './sample-facts.ts';

const gates = EXAMPLES.map((file) => [file, read(file)] as const).filter(
  ([, text]) => /scangate\/scangate@/.test(text) && /^\s+(?:pull_request|merge_group)/m.test(text),
);
/** The quick start only reports at first, and its comments say so. */
const QUICK_START = [
  expect.stringMatching(/^warning Policy: .* reports only/),
  expect.stringMatching(/^warning Policy: .* allows `missing-token`\. Any fork/),
];

/** The documented ruleset, which belongs to the quick start. */
const RULESET = v.parse(
  v.object({ rules: v.array(v.object({ type: v.string(), parameters: v.unknown() })) }),
  JSON.parse(read('docs/examples/ruleset.json')),
);

test('more than eight documented examples run the gate', () => expect(gates.length).toBeGreaterThan(8));

/** Each example is the only workflow of the repository. All its jobs are required, or the workflow itself. */
test.each(gates)('the doctor finds no problem in the documented workflow %s', (file, text) => {
  const isQuickStart = file.endsWith('quick-start.yml');
  const ofOrganization = file.endsWith('organization.yml');
  const required = ofOrganization
    ? requiresWorkflow('.github/workflows/scangate.yml', 1)
    : requires(...Object.keys(readExample(file).jobs));
  const rules = isQuickStart ? RULESET.rules : [required];
  const environments = new Map([['scan-forks', ok({ hasReviewers: true, branches: 'all' as const })]]);
  const { rows } = look({ files: { 'scangate.yml': text }, rules, github: { environments } });
  const problems = rows.filter((row) => /^(?:error|warning) /.test(row));
  expect(problems).toEqual(isQuickStart ? QUICK_START : []);
  expect(rows).toContainEqual(expect.stringMatching(/^ok Required check: /));
});
