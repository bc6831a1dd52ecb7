import { expect, test } from 'vitest';
import { showTriage } from '../../../sandbox/demo/show-triage.ts';
import { openRepository } from '../../scenarios/repository.ts';
import { openEnvironment } from '../../support/driver/environment.ts';

test('the demo closes and reopens the blocking findings by comments, and uses no credits', async () => {
  const repository = await openRepository();
  const environment = await openEnvironment({
    driver: 'in process',
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    service: { tokens: [{}, { scopes: ['read', 'findings:write'] }] },
  });
  const lines: string[] = [];
  try {
    expect(await showTriage(environment, (line) => lines.push(line)), lines.join('\n')).toBe(true);
  } finally {
    await environment.close();
  }
  const text = lines.join('\n');
  expect(text).toMatch(/^1\. The gate scans the pull request: blocked, 2 blocking/);
  expect(text).toMatch(/comments: \/scangate false-positive ZK-[0-9a-f]{8} /);
  expect(text).toMatch(
    /^2\. .*\n {3}The triage action answers 😕[\s\S]*`guarded_elsewhere` is not a reason code of `wont-fix`/m,
  );
  expect(text).toMatch(/^3\. .*\n {3}The triage action answers 👍/m);
  expect(text).not.toContain('<!--');
  expect(text).toMatch(/attempt 2: passed, 0 blocking, exit code 0\. Check run: success\.$/m);
  expect(text).toMatch(
    /^6\. .*attempt 3: blocked, 2 blocking.*\n7\. Credits: .*, the same as after step 1\.$/m,
  );
});
