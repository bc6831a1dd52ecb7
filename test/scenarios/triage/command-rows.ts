import { expect, test } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { startTimeline, type Timeline, type Act as TimelineAct } from '../timeline.ts';
import { type During, seen } from './blocked-pull-request.ts';
import { ask, labels, open, plain } from './change-command.ts';

interface Jobs {
  readonly scenario: Scenario;
}
/** Changes the pull request, the service or GitHub during a run of the triage action. */
export type Act = TimelineAct<Jobs>;

/** A command that changes the first finding of a blocked pull request, and what happens at the requests of its run. */
export interface CommandRow {
  readonly name: string;
  readonly at?: Timeline<Jobs>;
  /** More lines of the command. */
  readonly text?: string;
  /**
   * The requests about the finding in their order, and the waits of a second or more between them: `read send 3 s read`.
   */
  readonly asks: string;
  readonly exitCode?: 0 | 1;
  readonly reply: RegExp;
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['findings.read', 'read'],
  ['findings.resolution', 'send'],
]);

/** Declares a test for each row. */
export function testCommands(rows: readonly CommandRow[]): void {
  // `test.each` would shorten long names.
  for (const row of rows) test(row.name, () => play(row));
}

async function play({ at = {}, text = '', asks, exitCode = 0, reply }: CommandRow): Promise<void> {
  const timeline = startTimeline<Jobs>(at);
  const asked: string[] = [];
  let scenario: Scenario | undefined;
  let last: number | undefined;
  const meet: During['github'] = ({ point, path, body }, opened) => {
    const ms = opened.environment.now();
    const short = SHORT.get(point);
    if (short !== undefined) {
      const seconds = Math.floor((ms - (last ?? ms)) / 1000);
      asked.push(...(seconds > 0 ? [`${seconds} s`, short] : [short]));
      last = ms;
    }
    return timeline.meet({ scenario: opened }, { point, path, body, scanId: '', ms });
  };
  const during: During = { github: meet, service: (request) => scenario && meet(request, scenario) };
  scenario = await open(during, { driver: 'in process' });
  const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}${text}`);
  expect(asked.join(' '), ended.log).toBe(asks);
  expect(plain(seen(scenario).replies[0]), ended.log).toMatch(reply);
  expect(ended.exitCode, ended.log).toBe(exitCode);
  expect(timeline.unused(), ended.log).toEqual([]);
}
