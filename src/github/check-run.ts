import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import {
  ANNOTATION_TEXT_BYTES,
  ANNOTATION_TITLE_CHARACTERS,
  CHECK_TEXT_BYTES,
  CHECK_TITLE_CHARACTERS,
  type CheckAnnotation,
  type CheckOutput,
} from '../domain/check-output.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { cutBytes, cutCharacters } from '../text/visible-text.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read, readPages } from './octokit.ts';
import { WebAddress } from './schemas.ts';

/**
 * Cuts texts that exceed GitHub's limits. Never splits a character. Omits empty texts. This is only a safeguard,
 * because the texts should fit already.
 */
export function outputOnTheWire(output: CheckOutput, annotations: readonly CheckAnnotation[]) {
  return {
    title: cutCharacters(output.title, CHECK_TITLE_CHARACTERS),
    summary: cutBytes(output.summary, CHECK_TEXT_BYTES),
    ...(output.text === '' ? {} : { text: cutBytes(output.text, CHECK_TEXT_BYTES) }),
    ...(annotations.length === 0 ? {} : { annotations: annotations.map(annotationOnTheWire) }),
  };
}

function annotationOnTheWire(annotation: CheckAnnotation) {
  const { rawDetails } = annotation;
  return {
    path: annotation.path,
    start_line: annotation.startLine,
    end_line: annotation.endLine,
    annotation_level: annotation.level,
    title: cutCharacters(annotation.title, ANNOTATION_TITLE_CHARACTERS),
    message: cutBytes(annotation.message, ANNOTATION_TEXT_BYTES),
    ...(rawDetails === undefined ? {} : { raw_details: cutBytes(rawDetails, ANNOTATION_TEXT_BYTES) }),
  };
}

/**
 * A check run in a list. Any workflow of the repository can have written it, because all workflows use the same app.
 */
export type ListedCheckRun = ReturnType<typeof listedOf>;
const Listed = v.object({
  id: v.number(),
  name: v.string(),
  head_sha: v.string(),
  html_url: v.optional(WebAddress),
  external_id: v.nullish(v.string(), ''),
  status: v.nullish(v.string()),
  output: v.nullish(v.object({ summary: v.nullish(v.string()) })),
});

function listedOf(run: v.InferOutput<typeof Listed>) {
  return {
    id: run.id,
    name: run.name,
    url: run.html_url,
    /** Empty if the check run has no external id. */
    externalId: run.external_id,
    status: run.status ?? undefined,
    summary: run.output?.summary ?? '',
  };
}

/** Our choice. If a commit has more check runs, the list is an error. */
const MOST_CHECK_RUNS = 5_000;
const permission = 'checks: write';

/**
 * Lists all check runs on the commit, the newest first. If a page cannot be read, returns an error.
 * @param name of the check runs to list; undefined: all check runs
 */
export async function listCheckRuns(
  github: GitHubClient,
  headSha: string,
  name: string | undefined,
): Promise<Result<readonly ListedCheckRun[], GitHubError>> {
  const parameters = { ref: headSha, ...(name === undefined ? {} : { check_name: name }), filter: 'all' };
  const request = {
    operation: 'list the check runs',
    permission,
    route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    parameters,
    answer: v.pipe(
      v.object({ check_runs: v.array(Listed) }),
      v.transform(({ check_runs: runs }) => runs.filter((run) => run.head_sha === headSha).map(listedOf)),
    ),
    tooMany: `more than ${MOST_CHECK_RUNS} check runs`,
  } as const;
  const listed = await readPages(github, request, MOST_CHECK_RUNS);
  if (!listed.ok) return listed;
  const runs = new Map(listed.value.map((run) => [run.id, run]));
  return ok([...runs.values()].sort((a, b) => b.id - a.id));
}

/** What identifies a check run. */
export interface CheckRunIdentity {
  readonly name: string;
  readonly headSha: string;
  /** A later run reads from it what the check run is about. Two steps may use the same value. */
  readonly externalId: string;
  readonly detailsUrl?: string | undefined;
}

/**
 * The identity of a completed check run. If `externalId` is undefined, an existing check run keeps its external id.
 * That id may be the mark of its scan.
 */
export type CompletedIdentity = Omit<CheckRunIdentity, 'externalId'> & {
  readonly externalId: string | undefined;
};

export interface CheckRun {
  readonly id: number;
  readonly url: string | undefined;
}

export interface CheckRunResult {
  readonly conclusion: 'success' | 'neutral' | 'failure' | 'cancelled';
  readonly output: CheckOutput;
  readonly annotations: readonly CheckAnnotation[];
}

export interface CompletedCheckRun {
  readonly url: string | undefined;
  /** The number of annotations that the check run shows now. */
  readonly annotated: number;
  /** The annotations that GitHub did not accept. */
  readonly refused: readonly CheckAnnotation[];
  /** Why annotations are missing; undefined if none is missing. */
  readonly fault: GitHubError | undefined;
  /**
   * Why the result is in a second check run: GitHub refused to change the first one, which may stay in progress.
   * Undefined if there is only one.
   */
  readonly notUpdated: GitHubError | undefined;
}

/** GitHub's REST documentation: "limits the number of annotations to a maximum of 50 per API request". */
const ANNOTATIONS_PER_REQUEST = 50;

const Created = v.object({ id: v.number(), html_url: v.optional(WebAddress) });
const CheckRunShown = v.pipe(
  Created,
  v.transform(({ id, html_url: url }): CheckRun => ({ id, url })),
);
const Annotated = v.pipe(
  v.object({ ...Created.entries, output: v.object({ annotations_count: v.number() }) }),
  v.transform(({ id, html_url: url, output }) => ({ run: { id, url }, annotated: output.annotations_count })),
);

/**
 * Creates a check run that is in progress. If the answer is lost, looks for the check run. Creates it again only if it
 * is missing.
 */
export async function createCheckRun(
  github: GitHubClient,
  identity: CheckRunIdentity,
  output: CheckOutput,
): Promise<Result<CheckRun, GitHubError>> {
  return createOnce(github, identity, output, (stamped) => ({
    status: 'in_progress',
    output: outputOnTheWire(stamped, []),
  }));
}

/** Replaces the mark in a check run of this step. */
export async function markCheckRun(
  github: GitHubClient,
  checkRunId: number,
  { externalId }: Pick<CheckRunIdentity, 'externalId'>,
): Promise<Result<CheckRun, GitHubError>> {
  return update(github, checkRunId, { external_id: externalId }, 0, 0);
}

/**
 * Completes the check run. If there is none, creates a completed one. If GitHub refuses to change the check run,
 * creates a completed one only if `mayCreate` is true.
 *
 * The first request sends the conclusion. So the check run does not stay in progress if a later request fails. GitHub
 * adds annotations to the existing ones, so each further request sends only the next annotations.
 */
export async function completeCheckRun(
  github: GitHubClient,
  checkRunId: number | undefined,
  identity: CompletedIdentity,
  result: CheckRunResult,
  mayCreate: boolean,
): Promise<Result<CompletedCheckRun, GitHubError>> {
  const { conclusion, output, annotations } = result;
  const first = annotations.slice(0, ANNOTATIONS_PER_REQUEST);
  const conclude = (batch: readonly CheckAnnotation[], shown: CheckOutput) => ({
    status: 'completed' as const,
    conclusion,
    output: outputOnTheWire(shown, batch),
  });
  let refusal: GitHubError | undefined;
  let done: Result<CheckRun, GitHubError> | undefined;
  const send = async (how: (batch: readonly CheckAnnotation[]) => Promise<Result<CheckRun, GitHubError>>) => {
    refusal = undefined;
    const answer = await how(first);
    if (answer.ok || answer.error.status !== 422 || first.length === 0) return answer;
    // If GitHub refuses an annotation, sends the verdict without annotations. The verdict matters more than they do.
    refusal = answer.error;
    return how([]);
  };
  if (checkRunId !== undefined) {
    const { externalId } = identity;
    // Replaces the link, because an earlier attempt may have created the check run with its own link.
    const named = {
      ...(externalId === undefined ? {} : { external_id: externalId }),
      ...detailsOf(identity),
    };
    done = await send((batch) =>
      update(github, checkRunId, { ...named, ...conclude(batch, output) }, batch.length, 0),
    );
    if (!done.ok && !(mayCreate && isRefusal(done.error))) return done;
  }
  const notUpdated = done?.ok === false ? done.error : undefined;
  if (done === undefined || !done.ok)
    done = await send((batch) =>
      createOnce(github, { ...identity, externalId: identity.externalId ?? '' }, output, (stamped) =>
        conclude(batch, stamped),
      ),
    );
  if (!done.ok) return done;

  let annotated = refusal === undefined ? first.length : 0;
  let fault: GitHubError | undefined = refusal;
  const refused = refusal === undefined ? [] : [...first];
  for (let start = ANNOTATIONS_PER_REQUEST; start < annotations.length; start += ANNOTATIONS_PER_REQUEST) {
    const batch = annotations.slice(start, start + ANNOTATIONS_PER_REQUEST);
    const body = { output: outputOnTheWire(output, batch) };
    const answer = await update(github, done.value.id, body, batch.length, annotated);
    if (answer.ok) {
      annotated += batch.length;
      continue;
    }
    fault ??= answer.error;
    refused.push(...batch);
    if (answer.error.status === 422) continue;
    refused.push(...annotations.slice(start + ANNOTATIONS_PER_REQUEST));
    break;
  }
  return ok({ url: done.value.url, annotated, refused, fault, notUpdated });
}

function detailsOf({ detailsUrl }: Pick<CheckRunIdentity, 'detailsUrl'>) {
  return detailsUrl === undefined ? {} : { details_url: detailsUrl };
}

/** True if GitHub definitely refused to change the check run. The caller can then create a new one. */
export function isRefusal({ kind }: GitHubError): boolean {
  return kind === 'forbidden' || kind === 'not-found' || kind === 'refused';
}

/**
 * Changes a check run. GitHub adds annotations to the existing ones. So after an ambiguous answer, counts the
 * annotations before it sends the request again. If GitHub does not find the check run, asks once more, because it may
 * have created it only now.
 */
async function update(
  github: GitHubClient,
  checkRunId: number,
  body: Readonly<Record<string, unknown>>,
  adds: number,
  shownBefore: number,
): Promise<Result<CheckRun, GitHubError>> {
  const patch = () =>
    read(github, {
      operation: 'update the check run',
      permission,
      route: 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
      parameters: { check_run_id: checkRunId, ...body },
      answer: CheckRunShown,
      repeatable: adds === 0,
    });
  let answer = await patch();
  if (!answer.ok && answer.error.kind === 'not-found') {
    await github.pauseAfterLoss();
    answer = await patch();
  }
  for (let again = 0; again < 2 && adds > 0 && !answer.ok && isLost(answer.error); again += 1) {
    await github.pauseAfterLoss();
    const shown = await read(github, {
      operation: 'read the check run',
      permission,
      route: 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}',
      parameters: { check_run_id: checkRunId },
      answer: Annotated,
    });
    // If the read fails, the request is sent again. An annotation may then appear twice, but is never lost.
    if (shown.ok && shown.value.annotated >= shownBefore + adds) return ok(shown.value.run);
    answer = await patch();
  }
  return answer;
}

/**
 * Creates a check run exactly once. Puts a hidden stamp into its summary. If the answer is lost, finds the check run by
 * this stamp.
 */
async function createOnce(
  github: GitHubClient,
  { name, headSha, externalId, detailsUrl }: CheckRunIdentity,
  output: CheckOutput,
  bodyOf: (stamped: CheckOutput) => Readonly<Record<string, unknown>>,
): Promise<Result<CheckRun, GitHubError>> {
  const stamp = `<!-- ${randomUUID()} -->\n`;
  const body = bodyOf({ ...output, summary: `${stamp}${output.summary}` });
  const create = () =>
    read(github, {
      operation: 'create the check run',
      permission,
      route: 'POST /repos/{owner}/{repo}/check-runs',
      parameters: {
        name,
        head_sha: headSha,
        external_id: externalId,
        ...detailsOf({ detailsUrl }),
        ...body,
      },
      answer: CheckRunShown,
    });
  let answer = await create();
  if (!answer.ok && isLost(answer.error)) {
    await github.pauseAfterLoss();
    const list = await listCheckRuns(github, headSha, name);
    if (!list.ok) return err(answer.error);
    const ours = list.value.find((run) => run.externalId === externalId && run.summary.startsWith(stamp));
    if (ours !== undefined) return ok({ id: ours.id, url: ours.url });
    answer = await create();
  }
  return answer;
}

function isLost(error: GitHubError): boolean {
  return error.ambiguous && error.kind !== 'stopped';
}
