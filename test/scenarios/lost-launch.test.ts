import { expect, test } from 'vitest';
import { prepare } from './scenario.ts';
import { HIDDEN_SCOPE } from './stranger.ts';

test('`post` cancels the scan of a run that was killed during its launch, on a service that hides what a scan covers', async () => {
  const scanDetail = [...(HIDDEN_SCOPE.scanDetail ?? []), 'repositoryId', 'presetRef'];
  const { environment } = await prepare({
    service: {
      hideFields: { ...HIDDEN_SCOPE, scanDetail },
      pace: { hold: true },
      intercept: ({ point }) => (point === 'scans.launch' ? { fault: 'hang-after' } : undefined),
    },
  });
  const { service } = environment;
  const main = await environment.run({
    onStart: ({ kill }) => {
      void environment.when(() => service.scans().length > 0).then(() => kill('SIGKILL'));
    },
  });
  expect(service.scans()).toMatchObject([{ status: 'QUEUED' }]);
  const post = await environment.run({ step: 'post', state: main.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(service.ledger()).toMatchObject({ reserved: 0 });
});
