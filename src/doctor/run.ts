import type { DoctorOutputs } from '../deliver/outputs.ts';
import { attempt } from '../deliver/place.ts';
import { Stop } from '../domain/result.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import type { InputReading } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import { connectGitHub, connectService, type Resources } from '../start/step.ts';
import {
  countOf,
  describeTable,
  diagnose,
  isReady,
  NO_CHARGE,
  problemLines,
  renderTable,
  tableLines,
} from './diagnose.ts';
import type { DoctorFacts, ProxyFacts } from './facts.ts';
import { readGitHub, readGuidance, readService } from './reads.ts';
import type { Row } from './row.ts';

/** The time limit for all reads and their retries together. Our choice. */
const LONGEST_MS = 5 * 60_000;

/** What one run of the doctor gets from its step. */
export interface DoctorStep extends DoctorPlaces, Resources {
  /** Cancels all reads. */
  readonly signal: AbortSignal;
  readonly environment: Pick<
    GitHubEnvironment,
    'owner' | 'repo' | 'serverUrl' | 'apiUrl' | 'graphqlUrl' | 'sha'
  >;
  /** True if everyone can read the log. */
  readonly isPublic: boolean;
  readonly reading: InputReading;
  readonly proxy: ProxyFacts;
  readonly isCommandLine: boolean;
}

/** Where the table goes. */
export interface DoctorPlaces {
  readonly log: Log;
  /** Adds markdown to the job summary. Rejects if that fails. */
  readonly writeSummary: (markdown: string) => Promise<void>;
  /** Passes the outputs to the runner. Throws if that fails. */
  readonly writeOutputs: (outputs: DoctorOutputs) => void;
}

/**
 * Checks everything that a run of the gate needs, and prints one table.
 * @returns the exit code: 1 if a row is an error
 */
export async function runDoctor(deps: DoctorStep): Promise<0 | 1> {
  return deliverTable(deps, diagnose(await readFacts(deps)));
}

async function readFacts(deps: DoctorStep): Promise<DoctorFacts> {
  const { clock, environment, isPublic, reading, proxy } = deps;
  const { owner, repo: name, serverUrl, sha: headSha } = environment;
  const { connection, delivery } = reading.inputs;
  const { baseUrl, apiToken, githubToken, projectId } = connection;
  const { checkName } = delivery;
  const now = clock.date();
  const limit = new AbortController();
  const deadline = clock.timeout(LONGEST_MS);
  const endsAt = clock.now() + LONGEST_MS;
  deadline.signal.addEventListener('abort', () => limit.abort(new Stop('timeout')), { once: true });
  const signal = AbortSignal.any([deps.signal, limit.signal]);
  const mayConnect = proxy.fault === undefined;
  const service =
    mayConnect && baseUrl !== '' && apiToken !== ''
      ? connectService(deps, connection, {
          showMessages: async () => !isPublic,
          leftMs: () => endsAt - clock.now(),
        })
      : undefined;
  const github = mayConnect && githubToken !== '' ? connectGitHub(deps, connection, environment) : undefined;
  const [serviceFacts, githubFacts] = await Promise.all([
    service && readService(service, projectId, signal),
    github && readGitHub(github.until(signal), { headSha, checkName, serverUrl, now }),
  ]);
  const facts: DoctorFacts = {
    reading,
    proxy,
    repository: { owner, name, serverUrl, isPublic, headSha },
    service: serviceFacts,
    github: githubFacts,
    now,
    isCommandLine: deps.isCommandLine,
  };
  const guidance = await readGuidance(service, github, facts, signal);
  deadline.clear();
  return { ...facts, guidance };
}

/** Writes the table to the log and the job summary, then the outputs. */
export async function deliverTable(
  { log, writeSummary, writeOutputs }: DoctorPlaces,
  rows: readonly Row[],
): Promise<0 | 1> {
  for (const line of tableLines(rows)) log.info(line);
  log.info(NO_CHARGE);
  await attempt('job summary', log.warning, () => writeSummary(renderTable(rows)));
  const ready = isReady(rows);
  writeOutputs({ ready, problems: countOf(rows, 'error') });
  if (ready) log.info(describeTable(rows));
  else log.error(describeTable(rows), problemLines(rows));
  return ready ? 0 : 1;
}
