import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { runScenario, type ScenarioResult } from './scenario.ts';

const LINE =
  /^##\[debug\](?:GET|POST|PATCH|DELETE) \/[\w/{}-]+: (?:\d{3}(?: [\w-]+)?|[a-z]+(?:-[a-z]+)*), attempt \d, \d+ ms$/;

function debugLines({ run }: ScenarioResult): string[] {
  return run.log.split('\n').filter((line) => line.startsWith('##[debug]'));
}

test('the log has one line for each request if step debug logging is on', async () => {
  let tokens = 0;
  const intercept = ({ point }: { readonly point: string }): Interception | undefined => {
    if (point !== 'token') return undefined;
    tokens += 1;
    if (tokens === 1) return { rewrite: () => ({ status: 503, body: 'secret words' }) };
    return tokens === 2 ? { fault: 'reset-before' } : undefined;
  };
  const result = await runScenario({ service: { intercept }, run: () => ({ debug: true }) });
  const { environment, run } = result;
  const lines = debugLines(result);
  for (const line of lines) expect(line).toMatch(LINE);
  expect(lines).toHaveLength(environment.service.requests.length + environment.github.requests.length);

  const ends = lines.map((line) => line.replace(/, \d+ ms$/, ''));
  expect(ends.filter((line) => line.includes('/token:'))).toEqual([
    '##[debug]GET /token: 503 not-json, attempt 1',
    '##[debug]GET /token: reset, attempt 2',
    '##[debug]GET /token: 200, attempt 3',
  ]);
  expect(ends).toContain('##[debug]POST /projects/{id}/scans: 202, attempt 1');
  expect(ends).toContain('##[debug]GET /projects/{id}/scans/{id}: 200, attempt 1');
  expect(ends).toContain('##[debug]POST /repos/{owner}/{repo}/check-runs: 201, attempt 1');
  const { pathname } = new URL(environment.github.graphqlUrl);
  expect(ends).toContain(`##[debug]POST ${pathname}: 200, attempt 1`);
  const text = lines.join('\n');
  for (const value of [
    environment.service.project.id,
    run.outputs['scan-id'] ?? '',
    result.headSha,
    'octo-repo',
  ])
    expect(text).not.toContain(value);
});

test('the debug log shows the status and the kind of a refusal by GitHub', async () => {
  const result = await runScenario({
    github: { permissions: { contents: 'read', 'pull-requests': 'read' } },
    run: () => ({ debug: true }),
  });
  expect(debugLines(result).join('\n')).toContain(
    'POST /repos/{owner}/{repo}/check-runs: 403 forbidden, attempt 1',
  );
});

test('the log lists no requests if step debug logging is off', async () => {
  const { run } = await runScenario({ head: 'clean' });
  expect(run.stdout).not.toContain('::debug::');
});
