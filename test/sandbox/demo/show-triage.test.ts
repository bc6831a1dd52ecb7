import { expect, onTestFinished, test } from 'vitest';
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
  onTestFinished(() => environment.close());
  const lines: string[] = [];
  expect(await showTriage(environment, (line) => lines.push(line)), lines.join('\n')).toBe(true);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('show-triage.golden.txt');
});
