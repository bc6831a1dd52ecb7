import type { writeTriageOutputs } from '../deliver/outputs.ts';
import { attempt } from '../deliver/place.ts';
import { err, ok, sentencesOf } from '../domain/result.ts';
import { createSeal } from '../domain/seal.ts';
import { readIssueComment } from '../github/comment-list.ts';
import { isPublicRepository } from '../github/event.ts';
import { userMayWrite } from '../github/people.ts';
import { reactToComment, syncReply } from '../github/reply.ts';
import type { TriageReading } from '../runner/triage-inputs.ts';
import { createTriageApi } from '../scan-api/triage-api.ts';
import { connectGitHub, connectService } from '../start/step.ts';
import type { StepProcess, Surroundings } from '../start/step-process.ts';
import { type Answer, answerOfChange, answerOfRecheck } from './answer.ts';
import { changeByCommand } from './change-command.ts';
import { inNewComment, inSummary, REPLAYED, unclear } from './change-refusal.ts';
import { type Command, readCommand } from './command.ts';
import { unreadable } from './refusal.ts';
import { isFailure, type Rechecked, readOpen, rerunGate, sweep, type Triage } from './rerun-gate.ts';
import { createServiceReader } from './service.ts';
import { renderSummary, resultLine } from './texts.ts';

/** What one run of the triage action gets from its step. */
export interface TriageStep extends StepProcess, Surroundings {
  readonly reading: TriageReading;
  readonly writeOutputs: typeof writeTriageOutputs;
  /** Adds markdown to the job summary. Rejects if that fails. */
  readonly writeSummary: (markdown: string) => Promise<void>;
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
export async function runTriage(deps: TriageStep): Promise<0 | 1> {
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
  const triage = openTriage(deps);
  return command === undefined ? runSweep(deps, triage) : runCommand(deps, triage, command);
}

function openTriage(deps: TriageStep): Triage {
  const { clock, fetch, random, log, deadlines, environment, payload, reading } = deps;
  const { inputs } = reading;
  const { baseUrl, triageToken: token } = inputs;
  const signal = deadlines.work;
  const isPublic = isPublicRepository(payload);
  // The messages of the service are hidden in a public repository, because its log is public too.
  const options = { showMessages: async () => !isPublic, leftMs: deadlines.leftMs };
  const toChange = { baseUrl, token, clock, fetch, random, debug: log.debug, ...options };
  return {
    clock,
    signal,
    inputs,
    isPublic,
    github: connectGitHub(deps, inputs, environment),
    seal: createSeal(inputs.apiToken, environment.repositoryId),
    service: createServiceReader(connectService(deps, inputs, options), inputs.projectId, signal),
    triageApi: token === '' ? undefined : createTriageApi(toChange),
    place: environment,
  };
}

async function runSweep(deps: TriageStep, triage: Triage): Promise<0 | 1> {
  const { log, environment } = deps;
  const swept = await sweep(triage, deps.random, (done) =>
    isFailure(done) ? log.error(resultLine(done)) : log.info(resultLine(done)),
  );
  const { rechecked, left, more, fault } = swept;
  if (fault !== undefined) log.error(sentencesOf(fault));
  else if (rechecked.length === 0) log.info('No open pull request has a failed check.');
  if (left > 0) log.warning(`${left} pull requests were not looked at, because of this error.`);
  if (more) log.warning('There are more open pull requests than were looked at.');
  await summarize(deps, renderSummary(swept, environment));
  const rerun = rechecked.filter(({ kind }) => kind === 'rerun').length;
  return end(deps, rerun, fault !== undefined || rechecked.some(isFailure) ? 1 : 0);
}

/** Carries out a command. Answers only if GitHub confirms that the author of the command has write access. */
async function runCommand(deps: TriageStep, triage: Triage, command: Command): Promise<0 | 1> {
  const { log, environment } = deps;
  const { wanted } = command;
  const may = await userMayWrite(triage.github.until(triage.signal), command.author);
  if (!may.ok) {
    const refusal = unreadable(may.error);
    log.error(
      wanted.kind === 'recheck'
        ? `Nothing was re-run. ${sentencesOf(refusal)}`
        : `No finding was changed. ${sentencesOf(inNewComment(refusal))}`,
    );
    return end(deps, 0, 1);
  }
  if (!may.value) {
    log.info('Nothing to do: the author of the comment has no write access.');
    return end(deps, 0, 0);
  }
  if (wanted.kind === 'recheck') {
    return give(deps, triage, command, answerOfRecheck(command, await recheck(triage, command), environment));
  }
  if (environment.runAttempt !== 1) {
    log.error(sentencesOf(REPLAYED));
    return end(deps, 0, 1);
  }
  const changed =
    wanted.kind === 'unclear'
      ? err(unclear(wanted.cause))
      : await changeByCommand(triage, command, wanted.change);
  const result = changed.ok ? changed : err(inNewComment(changed.error));
  return give(deps, triage, command, answerOfChange(command, result, environment));
}

/** Gives the answer. If the reply cannot be written, the run fails, because the result would not be visible. */
async function give(
  deps: TriageStep,
  { github, inputs }: Triage,
  { commentId, pullRequest }: Command,
  { lines, reply, summary, reaction, isRerun, hasFailed }: Answer,
): Promise<0 | 1> {
  const { log, deadlines, environment } = deps;
  const signal = deadlines.wrapUp;
  for (const line of lines) {
    if (hasFailed) log.error(line);
    else log.info(line);
  }
  const reacted = reaction && (await reactToComment(github.until(signal), commentId, reaction));
  if (reacted?.ok === false) log.warning(sentencesOf(inSummary(unreadable(reacted.error))));
  // Only the first attempt replies, because a re-run of this workflow gets the same comment again.
  const body = environment.runAttempt === 1 ? reply : undefined;
  const replied =
    body === undefined
      ? ok(undefined)
      : await syncReply(github.until(signal), pullRequest, inputs.checkName, body);
  if (!replied.ok) log.error(sentencesOf(inSummary(unreadable(replied.error))));
  await summarize(deps, summary);
  return end(deps, isRerun ? 1 : 0, hasFailed || !replied.ok ? 1 : 0);
}

async function recheck(triage: Triage, { pullRequest, createdAt }: Command): Promise<Rechecked> {
  const state = await readOpen(triage, pullRequest);
  return state.ok
    ? rerunGate(triage, pullRequest, state.value.headSha, { at: createdAt })
    : { kind: 'refused', pullRequest, runId: undefined, refusal: state.error };
}

async function summarize({ writeSummary, log }: TriageStep, markdown: string): Promise<void> {
  await attempt('job summary', log.warning, () => writeSummary(markdown));
}

function fail(deps: TriageStep, [first = '', ...others]: readonly string[]): 1 {
  deps.log.error(`Nothing was re-run. ${first}`, others);
  end(deps, 0, 1);
  return 1;
}

function end({ writeOutputs }: TriageStep, rerun: number, exitCode: 0 | 1): 0 | 1 {
  writeOutputs({ rerun: String(rerun) });
  return exitCode;
}

function wrongEvent(event: string): string {
  return `The triage action does not run on \`${event}\`. Run it on \`schedule\`, \`workflow_dispatch\` or \`issue_comment\`.`;
}
