import { expect, test } from 'vitest';
import { createPatience } from '../../../src/scan/patience.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const MINUTE = 60_000;

test('patience.failed() returns undefined at the twentieth consecutive failure', () => {
  const patience = createPatience(new FakeClock());
  for (let failure = 1; failure < 20; failure += 1) expect(patience.failed()).toBe(failure);
  expect(patience.failed()).toBeUndefined();
});

test('patience.failed() returns undefined ten minutes after the first of several consecutive failures', async () => {
  const clock = new FakeClock({ auto: false });
  await clock.advance(5 * MINUTE);
  const patience = createPatience(clock);
  await clock.advance(11 * MINUTE);
  expect(patience.failed()).toBe(1);
  await clock.advance(10 * MINUTE - 1);
  expect(patience.failed()).toBe(2);
  await clock.advance(1);
  expect(patience.failed()).toBeUndefined();
});

test('patience.limited() restarts the ten minutes, and keeps the number of failures', async () => {
  const clock = new FakeClock({ auto: false });
  const patience = createPatience(clock);
  patience.failed();
  await clock.advance(9 * MINUTE);
  patience.limited();
  await clock.advance(11 * MINUTE);
  expect(patience.failed()).toBe(2);
  await clock.advance(10 * MINUTE);
  expect(patience.failed()).toBeUndefined();
});

test('patience.worked() restarts the ten minutes, and sets the number of failures to zero', async () => {
  const clock = new FakeClock({ auto: false });
  const patience = createPatience(clock);
  for (let failure = 1; failure < 20; failure += 1) patience.failed();
  await clock.advance(9 * MINUTE);
  patience.worked();
  await clock.advance(9 * MINUTE);
  expect(patience.failed()).toBe(1);
  await clock.advance(10 * MINUTE);
  expect(patience.failed()).toBeUndefined();
});
