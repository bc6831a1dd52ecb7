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
const problemsOf = (rows: readonly string[]) => rows.filter((row) => /^(?:error|warning) /.test(row));

test('more than eight documented examples run the gate', () => expect(gates.length).toBeGreaterThan(8));

/** Each example is the only workflow of the repository. All its jobs are required, or the workflow itself. */
test.each(gates)('the doctor finds no problem in the documented workflow %s', (file, text) => {
  const isRequiredWorkflow = file.endsWith('organization.yml');
  const names = Object.keys(readExample(file).jobs);
  const rules = isRequiredWorkflow
    ? [requiresWorkflow('.github/workflows/scangate.yml', 1)]
    : [requires(...names)];
  const environments = new Map([['scan-forks', ok({ hasReviewers: true, branches: 'all' as const })]]);
  const { rows } = look({ files: { 'scangate.yml': text }, rules, github: { environments } });
  expect(problemsOf(rows)).toEqual(file.endsWith('quick-start.yml') ? QUICK_START : []);
});

test('the doctor finds no problem in the quick start with the documented ruleset', () => {
  const { rules } = v.parse(
    v.object({ rules: v.array(v.object({ type: v.string(), parameters: v.unknown() })) }),
    JSON.parse(read('docs/examples/ruleset.json')),
  );
  const { rows } = look({ files: { 'scangate.yml': read('docs/examples/quick-start.yml') }, rules });
  expect(problemsOf(rows)).toEqual(QUICK_START);
  expect(rows).toContain('ok Required check: `main` requires the job `scangate`.');
  expect(rows).toContain('ok Expected source: `scangate` has to come from GitHub Actions.');
});
