import type { Clock } from '../clock.ts';
import { attempt } from '../deliver/place.ts';
import { err, type Result, sentencesOf } from '../domain/result.ts';
import { createSeal } from '../domain/seal.ts';
import { readIssueComment } from '../github/comment-list.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { explainGitHubError } from '../github/errors.ts';
import { isPublicRepository } from '../github/event.ts';
import { userMayWrite } from '../github/people.ts';
import { readPullRequestState } from '../github/pull-request-state.ts';
import { reactToComment } from '../github/reply.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import type { Log } from '../runner/log.ts';
import type { TriageReading } from '../runner/triage-inputs.ts';
import { connectGitHub, connectService } from '../start/clients.ts';
import { connectTriage } from '../start/triage-client.ts';
import { type ChangeCommandDeps, type Changed, changeByCommand } from './change-command.ts';
import { inNewComment, inSummary, REPLAYED, unclear } from './change-refusal.ts';
import { changedLines, isWhole, lineOfChanged, renderChanged } from './change-texts.ts';
import { type Command, readCommand } from './command.ts';
import { CLOSED, type Refusal, unreadable } from './refusal.ts';
import { type Answer, answerInReply, refusalAnswer } from './reply.ts';
import { type Rechecked, type RerunDeps, rerunGate, type Swept, sweep } from './rerun-gate.ts';
import { createServiceReader } from './service.ts';
import { renderNotChanged, renderReply, renderSummary, resultLine } from './texts.ts';

export interface TriageDeps {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly deadlines: Pick<Deadlines, 'work' | 'wrapUp' | 'startTimeout' | 'leftMs'>;
  readonly log: Log;
  readonly environment: GitHubEnvironment;
  /** The payload of the event, not parsed yet. */
  readonly payload: unknown;
  readonly reading: TriageReading;
  readonly writeOutputs: (outputs: TriageOutputs) => void;
  /** Adds markdown to the job summary. Rejects if that fails. */
  readonly writeSummary: (markdown: string) => Promise<void>;
}

export interface TriageOutputs {
  /** The number of jobs that were re-run. */
  readonly rerun: string;
}

/** Our choice: the time limit of a run. It is enough for 300 pull requests. */
const LONGEST_MINUTES = 15;
const SWEEP_EVENTS: ReadonlySet<string> = new Set(['schedule', 'workflow_dispatch']);

/**
 * Re-runs the gate's job if triage may have changed its result. A comment with a command does this for one pull
 * request, and a sweep for all open pull requests. A command can also change the status of findings. Never judges
 * findings or launches scans.
 * @returns the exit code: 1 if something failed
 */
export async function runTriage(deps: TriageDeps): Promise<0 | 1> {
  const { environment, log, reading, deadlines } = deps;
  const { eventName } = environment;
  if (eventName !== 'issue_comment' && !SWEEP_EVENTS.has(eventName))
    return fail(deps, [wrongEvent(eventName)]);
  let command: Command | undefined;
  if (eventName === 'issue_comment') {
    const comment = readIssueComment(deps.payload);
    if (!comment.ok) return fail(deps, [sentencesOf(comment.error)]);
    const read = readCommand(comment.value);
    if (read.kind === 'ignored') {
      log.info(`Nothing to do: ${read.why}.`);
      return end(deps, 0, 0);
    }
    command = read.command;
  }
  if (reading.faults.length > 0) return fail(deps, reading.faults);
  for (const sentence of reading.warnings) log.warning(sentence);
  deadlines.startTimeout(LONGEST_MINUTES);
  const rerunDeps = createDeps(deps);
  return command === undefined ? runSweep(deps, rerunDeps) : runCommand(deps, rerunDeps, command);
}

function createDeps(deps: TriageDeps): RerunDeps {
  const { clock, deadlines, environment, payload, reading } = deps;
  const { inputs } = reading;
  // The messages of the service are hidden in a public repository, because its log is public too.
  const showMessages = async () => !isPublicRepository(payload);
  const signal = deadlines.work;
  const api = connectService(deps, inputs, { showMessages, leftMs: deadlines.leftMs });
  return {
    github: connectGitHub(deps, inputs, environment),
    service: createServiceReader(api, inputs.projectId, signal),
    inputs,
    seal: createSeal(inputs.apiToken, environment.repositoryId),
    clock,
    signal,
  };
}

function createChangeDeps(deps: TriageDeps, rerunDeps: RerunDeps): ChangeCommandDeps {
  const { deadlines, environment, payload, clock } = deps;
  const { baseUrl, triageToken: token } = rerunDeps.inputs;
  const isPublic = isPublicRepository(payload);
  const options = { showMessages: async () => !isPublic, leftMs: deadlines.leftMs };
  const triageApi = token === '' ? undefined : connectTriage(deps, { baseUrl, token }, options);
  return { ...rerunDeps, clock, triageApi, place: environment, isPublic };
}

async function runSweep(deps: TriageDeps, rerunDeps: RerunDeps): Promise<0 | 1> {
  const swept = await sweep(rerunDeps, deps.random, (done) => show(deps, done));
  const { rechecked, left, more, fault } = swept;
  const last = rechecked.at(-1);
  const isShown = last?.kind === 'refused' && last.refusal === fault;
  if (fault !== undefined && !isShown) deps.log.error(sentencesOf(fault));
  if (rechecked.length === 0 && fault === undefined)
    deps.log.info('No open pull request has a failed check.');
  if (left > 0) deps.log.warning(`${left} pull requests were not looked at, because of this error.`);
  if (more) deps.log.warning('There are more open pull requests than were looked at.');
  return conclude(deps, swept);
}

/** Carries out a command. Answers only if GitHub confirms that the author of the command has write access. */
async function runCommand(deps: TriageDeps, rerunDeps: RerunDeps, command: Command): Promise<0 | 1> {
  const { log, environment } = deps;
  const { github, signal } = rerunDeps;
  const may = await userMayWrite(github, command.author, signal);
  if (!may.ok) {
    const isRecheck = command.wanted.kind === 'recheck';
    log.error(
      isRecheck
        ? `Nothing was re-run. ${explainGitHubError(may.error)}`
        : `No finding was changed. ${sentencesOf(inNewComment(unreadable(may.error)))}`,
    );
    return end(deps, 0, 1);
  }
  if (!may.value) {
    log.info('Nothing to do: the author of the comment has no write access.');
    return end(deps, 0, 0);
  }
  const { wanted } = command;
  if (wanted.kind === 'recheck') return answerRecheck(deps, rerunDeps, command);
  if (environment.runAttempt !== 1) {
    log.error(sentencesOf(REPLAYED));
    return end(deps, 0, 1);
  }
  const changed =
    wanted.kind === 'unclear'
      ? err(unclear(wanted.unclear))
      : await changeByCommand(createChangeDeps(deps, rerunDeps), command, wanted.change);
  return answerChange(deps, rerunDeps, command, changed.ok ? changed : err(inNewComment(changed.error)));
}

/**
 * Answers a command that changes findings. Reacts with 👍 if the command changed every finding that it names. If the
 * reply cannot be written, the run fails, because the result would not be visible.
 */
async function answerChange(
  deps: TriageDeps,
  rerunDeps: RerunDeps,
  command: Command,
  changed: Result<Changed, Refusal>,
): Promise<0 | 1> {
  const { log, environment } = deps;
  const { commentId, pullRequest } = command;
  const isDone = changed.ok && isWhole(changed.value);
  const rechecked = changed.ok ? changed.value.rechecked : undefined;
  const hasFailed =
    (changed.ok ? !isDone : changed.error.fault !== 'no') ||
    (rechecked !== undefined && isFailure(rechecked));
  const say = hasFailed ? (line: string) => log.error(line) : (line: string) => log.info(line);
  if (changed.ok) for (const line of changedLines(changed.value)) say(line);
  else say(`#${pullRequest}: no finding was changed. ${sentencesOf(changed.error)}`);
  if (rechecked !== undefined) show(deps, rechecked);
  const answer = changed.ok
    ? { body: renderChanged(changed.value, environment), line: lineOfChanged(changed.value) }
    : refusalAnswer(
        command,
        {
          said: 'No finding was changed',
          why: changed.error.cause,
          markdown: renderNotChanged(changed.error),
        },
        environment,
      );
  const isThere = changed.ok || changed.error.reason !== 'deleted';
  if (isThere) await react(deps, rerunDeps, commentId, isDone ? '+1' : 'confused');
  const isShown = await reply(deps, rerunDeps, command, answer);
  await summarize(deps, `## Triage\n\n${answer.body}\n`);
  return end(deps, rechecked?.kind === 'rerun' ? 1 : 0, hasFailed || !isShown ? 1 : 0);
}

async function answerRecheck(deps: TriageDeps, rerunDeps: RerunDeps, command: Command): Promise<0 | 1> {
  const { environment } = deps;
  const done = await recheckFor(rerunDeps, command);
  show(deps, done);
  await react(deps, rerunDeps, command.commentId, done.kind === 'rerun' ? '+1' : 'confused');
  let isShown = true;
  // Only the first attempt replies, because a re-run of this workflow gets the same comment again.
  if (done.kind === 'refused' && environment.runAttempt === 1) {
    const refused = {
      said: 'Not re-run',
      why: done.refusal.cause,
      markdown: renderReply(done, environment),
    };
    isShown = await reply(deps, rerunDeps, command, refusalAnswer(command, refused, environment));
  }
  const exitCode = await conclude(deps, { rechecked: [done], left: 0, more: false, fault: undefined });
  return isShown ? exitCode : 1;
}

async function react(
  { log, deadlines }: TriageDeps,
  { github }: RerunDeps,
  commentId: number,
  reaction: '+1' | 'confused',
): Promise<void> {
  const reacted = await reactToComment(github, commentId, reaction, deadlines.wrapUp);
  if (!reacted.ok) log.warning(sentencesOf(inSummary(unreadable(reacted.error))));
}

/** @returns false if the reply could not be written; the log then says why */
async function reply(
  { log, deadlines, environment: place }: TriageDeps,
  { github, seal, inputs: { checkName } }: RerunDeps,
  command: Command,
  answer: Answer,
): Promise<boolean> {
  const replied = await answerInReply({ github, seal, place, checkName }, command, answer, deadlines.wrapUp);
  if (!replied.ok) log.error(sentencesOf(inSummary(unreadable(replied.error))));
  return replied.ok;
}

async function recheckFor(rerunDeps: RerunDeps, { pullRequest, createdAt }: Command): Promise<Rechecked> {
  const { github, signal } = rerunDeps;
  const state = await readPullRequestState(github, pullRequest, signal);
  const refused = (refusal: Refusal) =>
    ({ kind: 'refused', pullRequest, runId: undefined, refusal }) as const;
  if (!state.ok) return refused(unreadable(state.error));
  if (!state.value.isOpen) return refused(CLOSED);
  const { headSha } = state.value;
  return rerunGate(rerunDeps, { pullRequest, headSha }, { by: 'comment', at: createdAt });
}

/** True if an error, and not only a rule, prevented the re-run. */
function isFailure(done: Rechecked): boolean {
  return done.kind === 'refused' && done.refusal.fault !== 'no';
}

function show({ log }: TriageDeps, done: Rechecked): void {
  if (isFailure(done)) log.error(resultLine(done));
  else log.info(resultLine(done));
}

async function conclude(deps: TriageDeps, swept: Swept): Promise<0 | 1> {
  const { rechecked, fault } = swept;
  await summarize(deps, renderSummary(swept, deps.environment));
  const rerun = rechecked.filter(({ kind }) => kind === 'rerun').length;
  const failed = fault !== undefined || rechecked.some(isFailure);
  return end(deps, rerun, failed ? 1 : 0);
}

async function summarize({ writeSummary, log }: TriageDeps, markdown: string): Promise<void> {
  await attempt('job summary', log.warning, () => writeSummary(markdown));
}

function fail(deps: TriageDeps, [first = '', ...others]: readonly string[]): 1 {
  deps.log.error(`Nothing was re-run. ${first}`, others);
  end(deps, 0, 1);
  return 1;
}

function end({ writeOutputs }: TriageDeps, rerun: number, exitCode: 0 | 1): 0 | 1 {
  writeOutputs({ rerun: String(rerun) });
  return exitCode;
}

function wrongEvent(event: string): string {
  return `The triage action does not run on \`${event}\`. Run it on \`schedule\`, \`workflow_dispatch\` or \`issue_comment\`.`;
}
