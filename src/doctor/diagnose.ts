import { planBase } from '../preflight/planned-base.ts';
import { findRepository, type WantedRepository } from '../preflight/repository.ts';
import { readLaunchParameters, sentValue } from '../scan-api/wire-writes.ts';
import { addressRows } from './address-rows.ts';
import { assumptionRows } from './assumption-rows.ts';
import type { DoctorFacts } from './facts.ts';
import { forkRows } from './fork-rows.ts';
import { gateOf } from './gate.ts';
import { gateJobRows } from './gate-job-rows.ts';
import { githubRows } from './github-rows.ts';
import { guidanceRows, guidanceText } from './guidance-row.ts';
import { inputRows } from './input-rows.ts';
import { launchRow } from './launch-row.ts';
import { chosenPreset, presetRows } from './preset-rows.ts';
import { queueRow } from './queue-row.ts';
import { repositoryRows } from './repository-rows.ts';
import { requiredRows, unknownRequirement } from './required-rows.ts';
import { requiredWorkflowRows } from './required-workflow-rows.ts';
import type { Row } from './row.ts';
import { sameNameRows } from './same-name-rows.ts';
import { sourceRows } from './source-rows.ts';
import { tokenRows } from './token-rows.ts';
import { triageRows } from './triage-rows.ts';

/** Computes the rows of the table. Shows all problems, not only the first. Pure. */
export function diagnose(facts: DoctorFacts): readonly Row[] {
  const { reading, repository, proxy, service, github, now } = facts;
  const { connection, setup, publish } = reading.inputs;
  const { headSha, isPublic } = repository;
  const parameters = readLaunchParameters(setup.launchParameters);
  const wanted = wantedRepository(facts);
  const question = {
    ref: sentValue(parameters, 'presetRef', setup.preset),
    creditBudget: sentValue(parameters, 'creditBudget', setup.creditBudget),
  };
  const found = foundRepository(facts);
  const chosen = chosenPreset(service, question);
  const base = planBase(headSha, setup.baseSha, parameters);
  return [
    ...inputRows(reading, parameters, headSha, facts.isCommandLine),
    ...addressRows(connection.baseUrl, proxy, service),
    ...tokenRows(service, {
      willPublish: publish.when !== 'never',
      budget: chosen?.creditBudget,
      repository: found,
      isPublic,
      now,
    }),
    ...repositoryRows(service, found, wanted, github),
    ...presetRows(service, question),
    ...assumptionRows(service, isPublic),
    ...guidanceRows(facts.guidance),
    launchRow(
      found?.ok ? found.value : undefined,
      chosen,
      base.ok ? base.value : setup.baseSha,
      parameters,
      guidanceText(facts.guidance),
    ),
    ...githubRows(github, facts.isCommandLine),
    ...gateRows(facts),
  ];
}

/** Rows about the workflows and the rules of the repository, which decide whether the required check is reliable. */
function gateRows({ github, repository, reading }: DoctorFacts): readonly Row[] {
  const gate = github === undefined ? undefined : gateOf(github, repository);
  if (github === undefined || gate === undefined) return [unknownRequirement(github)];
  const { checkName } = reading.inputs.delivery;
  const app = github.jobApps.get(checkName);
  return [
    ...requiredRows(gate, checkName, app?.ok ? app.value : undefined),
    ...sourceRows(gate, github, repository.serverUrl),
    ...gateJobRows(gate),
    ...sameNameRows(gate),
    queueRow(gate, github),
    ...requiredWorkflowRows(gate),
    ...forkRows(gate, github, repository.serverUrl),
    ...triageRows(gate, github),
  ];
}

/** Finds the gate's repository in the list of the service. Undefined if the list was not read. Pure. */
export function foundRepository(facts: DoctorFacts): ReturnType<typeof findRepository> | undefined {
  const list = facts.service?.lists?.repositories;
  return list?.ok ? findRepository(list.value, wantedRepository(facts)) : undefined;
}

function wantedRepository({ reading, repository }: DoctorFacts): WantedRepository {
  const { owner, name, serverUrl } = repository;
  const { repositoryId, launchParameters } = reading.inputs.setup;
  const id = sentValue(readLaunchParameters(launchParameters), 'repositoryId', repositoryId);
  return { repositoryId: id, owner, name, serverUrl };
}

/** True if no row is an error, so the gate can work. */
export function isReady(rows: readonly Row[]): boolean {
  return countOf(rows, 'error') === 0;
}

export function countOf(rows: readonly Row[], wanted: Row['level']): number {
  return rows.filter(({ level }) => level === wanted).length;
}
