import { systemClock } from '../../../src/clock.ts';
import { createHttp } from '../../../src/scan-api/http.ts';
import { runStepProcess } from '../../../src/start/step-process.ts';

const [baseUrl = '', ...paths] = process.argv.slice(2);

/** A step that reads each path once, and prints how that ended. */
void runStepProcess(
  async ({ fetch }) => {
    const http = createHttp({
      baseUrl,
      token: 'token',
      clock: systemClock,
      fetch,
      showMessages: async () => true,
      attemptTimeoutMs: 1_000,
    });
    for (const path of paths) {
      const { signal } = new AbortController();
      const answer = await http.request({
        operation: 'read the scan',
        method: 'GET',
        path,
        signal,
        attempt: 1,
      });
      // A stray error of the answer appears before the next turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 20));
      process.stdout.write(`${answer.ok ? 'ok' : answer.error.kind} `);
    }
    return 0;
  },
  (what) => process.stdout.write(`unexpected error: ${what}`),
);
