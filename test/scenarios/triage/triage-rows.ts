import { expect, test } from 'vitest';
import { plainMarkdown } from '../../../sandbox/demo/plain-markdown.ts';
import type { WorkflowRunSeed } from '../../../sandbox/github/workflow-runs.ts';
import { isObject } from '../../../sandbox/json.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import { declareBlocks, expectBlock } from '../golden.ts';
import { type Head, openRepository } from '../repository.ts';
import { runAgain } from '../reuse.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { type Act as AnyAct, startTimeline, type Timeline } from '../timeline.ts';
import {
  blockedPullRequest,
  type CommentChanges,
  comment,
  type During,
  GATE_RUN,
  minutesLater,
  seen,
  sweep,
} from './blocked-pull-request.ts';

interface Jobs {
  readonly scenario: Scenario;
}
/** Changes the pull request, the service or GitHub while the triage action runs. */
export type Act = AnyAct<Jobs>;

/** What happens next: a comment of a user, a sweep, an attempt of the gate, or a change. A run is shown in the golden file. */
export type Step = (scenario: Scenario) => Promise<ActionRun | undefined> | undefined;

/** What happens on a pull request that the gate has blocked, and what users see of it. */
export interface TriageRow {
  readonly name: string;
  /** The options of the gate's run. */
  readonly gate?: ScenarioOptions;
  /** The run of the gate's workflow. */
  readonly run?: Partial<WorkflowRunSeed>;
  /** Other open pull requests, on which the gate did not run, and their heads. */
  readonly others?: Readonly<Record<number, Head>>;
  /** What happens at the requests of the triage action. */
  readonly at?: Timeline<Jobs>;
  readonly steps: readonly Step[];
  /** How many scans the row launches, with the scan of the gate. Default: 1. */
  readonly launches?: number;
}

/** The token of the gate, and a token that may change the status of findings. */
export const TWO_TOKENS = { tokens: [{}, { scopes: ['read', 'findings:write'] }] } as const;

/**
 * A comment with a command, five minutes after the result of the gate. In its text, `{1}` is the label of the first
 * finding, and `{all}` stands for all labels.
 */
export const write =
  (text: string, changes: CommentChanges = {}): Step =>
  (scenario) => {
    const triageToken = scenario.environment.service.tokens[1]?.token ?? '';
    const inputs = { 'triage-token': triageToken, ...changes.inputs };
    const body = withLabels(scenario, text);
    return comment(scenario, { createdAt: minutesLater(scenario, 5), ...changes, inputs, body });
  };

/** Replaces `{1}`, `{2}` and `{all}` by labels of the newest scan. */
export function withLabels(scenario: Scenario, text: string): string {
  const all = labels(scenario);
  return text.replace('{all}', all.join(' ')).replaceAll(/\{(\d)\}/g, (_, nth) => all[Number(nth) - 1] ?? '');
}

/** The labels of the findings of the newest scan: a MEDIUM, a CRITICAL, a HIGH and a LOW one. Two of them block. */
export function labels({ environment }: Scenario): readonly string[] {
  return (environment.service.scans()[0]?.findingIds ?? []).map((id) => `ZK-${id.slice(-8)}`);
}

export const SWEEP: Step = (scenario) => sweep(scenario);

/** Changes something between the runs. */
export const change =
  (act: (scenario: Scenario) => unknown): Step =>
  async (scenario) =>
    void (await act(scenario));

/** Sets the status of findings in the service, as a user does. `which` are their positions; default: all. */
export const triaged = (resolutionStatus = 'FALSE_POSITIVE', which: readonly number[] = [1, 2, 3, 4]): Step =>
  change(({ environment: { service } }) => {
    const ids = service.scans()[0]?.findingIds ?? [];
    for (const nth of which) service.control.triage(ids[nth - 1] ?? '', { resolutionStatus });
  });

/** Runs this attempt of the gate's job. `of` returns what is special about the run. */
export const gateRuns =
  (
    runAttempt: number,
    inputs: Readonly<Record<string, string>> = {},
    of: NonNullable<ScenarioOptions['run']> = () => ({}),
  ): Step =>
  async (scenario) => {
    const { github } = scenario.environment;
    const granted = { ...github.permissions };
    Object.assign(github.permissions, { contents: 'read', checks: 'write' });
    const { run } = await runAgain(scenario, { ...of(scenario), runId: GATE_RUN, runAttempt }, inputs);
    Object.assign(github.permissions, granted);
    github.workflowRuns.complete(GATE_RUN, run.exitCode === 0 ? 'success' : 'failure');
    return run;
  };

/** Declares a test for each row: what users see is as in the golden text `triage/NAME.txt`. */
export function testTriage(golden: string, rows: readonly TriageRow[]): void {
  const name = `triage/${golden}`;
  declareBlocks(name, rows);
  test.each(rows.map((row) => [row.name, row] as const))('%s', async (title, row) => {
    expectBlock(name, title, await play(row));
  });
}

async function play({ gate, run, others, at = {}, steps, launches = 1 }: TriageRow): Promise<string> {
  const timeline = startTimeline<Jobs>(at);
  let scenario: Scenario | undefined;
  const talk = startTalk(gate?.driver === 'in process');
  const meet: During['github'] = ({ point, path, body }, opened) => {
    const ms = opened.environment.now();
    talk.hear(point, path, body, ms);
    return timeline.meet({ scenario: opened }, { point, path, body, scanId: '', ms });
  };
  const during: During = { github: meet, service: (request) => scenario && meet(request, scenario) };
  const github = others && { github: { pullRequests: await pullRequestsWith(others) } };
  scenario = await blockedPullRequest({ service: TWO_TOKENS, ...github, ...gate }, run, during);
  const lines: string[] = [];
  for (const step of steps) lines.push(...(await shownStep(scenario, step, talk)));
  expect(timeline.unused()).toEqual([]);
  // A triage action never launches a scan.
  expect(scenario.environment.service.scans()).toHaveLength(launches);
  return lines.join('\n') || 'shows nothing';
}

async function pullRequestsWith(others: Readonly<Record<number, Head>>) {
  const { id } = await openRepository();
  return Object.entries({ ...others, 7: 'vulnerable' } as const).map(([number, head]) => ({
    number: Number(number),
    headSha: id(head),
    baseRef: 'main',
  }));
}

/** The requests about single findings. `showsWaits`: with the waits of a second or more between them. */
function startTalk(showsWaits: boolean) {
  let heard: string[] = [];
  let last: number | undefined;
  return {
    hear(point: string, path: string, body: unknown, ms: number): void {
      if (!point.startsWith('findings.re')) return;
      const seconds = showsWaits ? Math.floor((ms - (last ?? ms)) / 1000) : 0;
      last = ms;
      const [, id] = /findings\/([^/]+)/.exec(path) ?? [];
      const status = isObject(body) ? body['resolutionStatus'] : undefined;
      const quoted = isObject(body) ? JSON.stringify(body).split('\\n> ').length - 1 : 0;
      const quotes = quoted === 0 ? '' : ` (quoted lines: ${quoted})`;
      const what = status === undefined ? `reads ${id}` : `sets ${id} ${status}${quotes}`;
      heard.push(seconds > 0 ? `after ${seconds} s ${what}` : what);
    },
    /** Returns what was heard since the last call. */
    take(): readonly string[] {
      const all = heard;
      heard = [];
      return all;
    },
  };
}

/** What users see of a step: what it did, and its reply or else its log. */
async function shownStep(
  scenario: Scenario,
  step: Step,
  talk: ReturnType<typeof startTalk>,
): Promise<readonly string[]> {
  const { github } = scenario.environment;
  const before = { ...seen(scenario), requests: github.requests.length };
  const ended = await step(scenario);
  const about = talk.take();
  if (ended === undefined) return [];
  const { outcome, rerun, 'scan-reused': isReused } = ended.outputs;
  if (outcome !== undefined) return [`the gate: ${outcome}${isReused === 'true' ? ', scan reused' : ''}`];
  const now = seen(scenario);
  const asked = github.requests.slice(before.requests).map(({ point }) => point);
  const reactions = now.reactions.slice(before.reactions.length);
  const writes = asked.filter((point) => /\.(rerun|react|create|update|delete)$/.test(point));
  const attempts = now.attempt - before.attempt;
  const facts = [
    ...reactions,
    ...about,
    ...(rerun === '0' ? [] : [`re-runs ${rerun}`]),
    ...(String(attempts) === rerun ? [] : [`attempts: +${attempts}`]),
    ...(reactions.length > 0 || rerun !== '0' ? [] : writes.map((point) => `writes ${point}`)),
    ...(ended.exitCode === 0 ? [] : ['fails']),
    ...(asked.length < 2 ? [`asks GitHub for ${asked[0] ?? 'nothing'}`] : []),
    ...(now.replies.length > 1 ? [`${now.replies.length} replies`] : []),
  ];
  const replies = now.replies.filter((reply) => !before.replies.includes(reply)).flatMap(linesOfReply);
  const said = replies.length > 0 ? replies : ended.log.trim().split('\n');
  const lines = [facts.join(', ') || 'does nothing', ...said.map((line) => `  ${line}`)];
  return lines.map((line) => withoutIds(scenario, line).trimEnd());
}

/** The lines of a reply as users read them, without the link to the command and what to do by hand. */
function linesOfReply(reply: string): readonly string[] {
  const lines = plainMarkdown(reply).split('\n');
  return lines.filter(
    (line) => line !== '' && !/^(This answers|To \S+ .*by hand|\| ---|\| Finding)/.test(line),
  );
}

/** Replaces what differs between two runs of a row: the ids of findings and commits. */
function withoutIds(scenario: Scenario, text: string): string {
  const { environment, headSha } = scenario;
  const ids = new Set(
    environment.service
      .scans()
      .toReversed()
      .flatMap(({ findingIds }) => findingIds),
  );
  return [...ids]
    .reduce(
      (all, id, index) => all.replaceAll(id, `ZK-${index + 1}`).replaceAll(id.slice(-8), String(index + 1)),
      text,
    )
    .replaceAll(headSha.slice(0, 7), 'HEAD');
}
