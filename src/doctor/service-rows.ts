import {
  type Preset,
  type ProjectRepository,
  splitEntries,
  type TokenInformation,
} from '../domain/project.ts';
import type { NotScanned, Result } from '../domain/result.ts';
import {
  calledIn,
  chooseBudget,
  choosePreset,
  looksLikeDiff,
  type WantedRepository,
} from '../preflight/choose.ts';
import { EXPIRY_NOTICE_MS, scopeFaults } from '../preflight/token-check.ts';
import { repositoryFault } from '../scan-api/repository-entry.ts';
import { foreignLine } from '../text/visible-text.ts';
import type { ProxyFacts, ServiceFacts } from './facts.ts';
import {
  type Check,
  code,
  error,
  errorOf,
  explainRead,
  fixerOf,
  ok,
  type Row,
  skipped,
  warning,
} from './row.ts';

/** Rows about the address, TLS and the proxy. The first request to the service shows whether they work. */
export function addressRows(
  baseUrl: string,
  proxy: ProxyFacts,
  service: ServiceFacts | undefined,
): readonly Row[] {
  if (proxy.fault !== undefined) return [errorOf('Address', proxy.fault, 'Admin of the runner')];
  if (service === undefined) return [skipped('Address', 'Not checked: fix the inputs first.')];
  const { token } = service;
  if (!token.ok && token.error.kind !== 'refused') {
    return [errorOf('Address', explainRead(token.error), fixerOf(token.error))];
  }
  const transport = baseUrl.startsWith('https:') ? 'over TLS' : 'over http on this machine';
  const way = proxy.variable === undefined ? '' : ` ${code(proxy.variable)} is set.`;
  return [ok('Address', `${code(baseUrl)} answers JSON ${transport}.${way}`)];
}

const ADMIN = 'Project admin of the service';
const NEW_TOKEN = 'Create a new token in the integration settings of the project, and update the secret.';
const DAY_MS = 24 * 60 * 60_000;

export interface TokenQuestion {
  readonly willPublish: boolean;
  /** The credits of one scan; undefined if they are not known. */
  readonly budget: number | undefined;
  /** The gate's repository in the list of the service; undefined if the list was not read. */
  readonly repository: Result<ProjectRepository, unknown> | undefined;
  readonly isPublic: boolean;
  readonly now: Date;
}

/** Rows about the token alone: whether it is accepted, its project, scopes, expiry, credits and repositories. */
export function tokenRows(service: ServiceFacts | undefined, question: TokenQuestion): readonly Row[] {
  if (service === undefined) return [skipped('Token', 'Not checked: fix the inputs first.')];
  const { token } = service;
  if (!token.ok) {
    const row =
      token.error.kind === 'refused'
        ? errorOf('Token', explainRead(token.error), fixerOf(token.error))
        : skipped('Token', 'Not checked: the service cannot be reached.');
    return [row, ...projectRows(service)];
  }
  const { value } = token;
  return [
    acceptedRow(value, question),
    ...projectRows(service),
    ...scopeRows(value, question.willPublish),
    spendLimitRow(value, question),
    allowlistRow(value, question),
  ];
}

function projectRows({ projectId }: ServiceFacts): readonly Row[] {
  if (projectId === undefined) return [skipped('Project', 'Not checked: the token was not read.')];
  if (!projectId.ok) return [errorOf('Project', projectId.error, 'Workflow maintainer')];
  return [ok('Project', `${code(projectId.value)}.`)];
}

function scopeRows(token: TokenInformation, willPublish: boolean): readonly Row[] {
  const missing = scopeFaults(token, willPublish);
  if (missing.length > 0) return missing.map((fault) => errorOf('Scopes', fault, ADMIN));
  const needed = willPublish ? '`read`, `scans:launch` and `publish`' : '`read` and `scans:launch`';
  return token.scopes === undefined
    ? [notShown('Scopes', 'scopes', `the token has ${needed}`)]
    : [ok('Scopes', `The token has ${needed}.`)];
}

const ACCEPTED = 'The service accepts `api-token`';

function acceptedRow({ expiresAt }: TokenInformation, { isPublic, now }: TokenQuestion): Row {
  if (expiresAt === undefined) return ok('Token', `${ACCEPTED}, and shows no expiry.`);
  const left = new Date(expiresAt).getTime() - now.getTime();
  if (Number.isNaN(left)) return notShown('Token', 'a readable expiry', 'the token does not expire soon');
  if (left <= 0) return error('Token', 'The token has expired.', ADMIN, NEW_TOKEN);
  const days = Math.floor(left / DAY_MS);
  const isNear = left <= EXPIRY_NOTICE_MS;
  const when = isPublic ? `within 7 days` : `in ${days === 1 ? '1 day' : `${days} days`}`;
  if (isNear) return warning('Token', `The token expires ${when}.`, ADMIN, NEW_TOKEN);
  return ok('Token', `${ACCEPTED}. It ${isPublic ? 'does not expire' : 'expires'} ${when}.`);
}

function spendLimitRow({ spendLimit }: TokenInformation, { budget, isPublic }: TokenQuestion): Row {
  if (spendLimit !== undefined && (spendLimit === 0 || spendLimit < (budget ?? 0))) {
    const text = isPublic
      ? 'The spend limit of the token is below the budget of one scan.'
      : `The spend limit of the token is ${spendLimit} credits, below the budget of one scan (${budget ?? 1} or more).`;
    return error('Spend limit', text, ADMIN, 'Raise the spend limit of the token, or lower `credit-budget`.');
  }
  if (isPublic) return ok('Spend limit', 'The service shows none that is below the budget of one scan.');
  return ok(
    'Spend limit',
    spendLimit === undefined
      ? 'The service shows no spend limit.'
      : `${spendLimit} credits per billing period. What is left of it is not shown.`,
  );
}

function allowlistRow({ allowlist }: TokenInformation, { repository, isPublic }: TokenQuestion): Row {
  if (repository === undefined) return skipped('Allowlist', 'Not checked: the repositories were not read.');
  // The service lists only repositories that the token may access.
  if (repository.ok) {
    if (isPublic || allowlist === undefined) return ok('Allowlist', 'The token may see this repository.');
    const { length } = allowlist;
    return ok(
      'Allowlist',
      length === 0
        ? 'None: the token may see every repository of the project.'
        : `The token may see this repository, one of ${length}.`,
    );
  }
  if (allowlist !== undefined && allowlist.length === 0) {
    return ok('Allowlist', 'None: the token may see every repository of the project.');
  }
  return error(
    'Allowlist',
    'The token may not see this repository, or the project does not have it.',
    ADMIN,
    'Add the repository to the project and to the allowlist of the token.',
  );
}

function notShown(check: Check, what: string, whether: string): Row {
  return warning(
    check,
    `The service does not show ${what}.`,
    ADMIN,
    `Check in the integration settings of the project that ${whether}.`,
  );
}

/** Rows about the repository in the service. @param found undefined if the list was not read */
export function repositoryRows(
  service: ServiceFacts | undefined,
  found: Result<ProjectRepository, NotScanned> | undefined,
  wanted: WantedRepository,
): readonly Row[] {
  const list = service?.lists?.repositories;
  if (list !== undefined && !list.ok) {
    return [errorOf('Repository', explainRead(list.error), fixerOf(list.error))];
  }
  if (found === undefined) return [skipped('Repository', 'Not checked: the repositories were not read.')];
  if (!found.ok) return [errorOf('Repository', found.error, ADMIN)];
  return [stateRow(found.value, wanted)];
}

function stateRow(repository: ProjectRepository, wanted: WantedRepository): Row {
  const fault = repositoryFault(repository, calledIn(wanted));
  if (fault !== undefined) return errorOf('Repository', fault, ADMIN);
  const { id, owner, name, readiness } = repository;
  const called = `${code(`${owner}/${name}`)} is ${code(id)} in the service`;
  return readiness === 'ready'
    ? ok('Repository', `${called}, ACTIVE and ready.`)
    : warning(
        'Repository',
        `${called}. It is not ready: ${code(readiness)}.`,
        'Support of the service',
        'Wait until the service has analyzed the repository. A scan waits for it too, and ends as `initializing` if it takes longer than `timeout-minutes`.',
      );
}

/** The most presets that the table lists. Our choice. A project usually has only a few. */
const MOST_SHOWN = 20;
const LONGEST_DESCRIPTION = 120;

/** The preset and the budget of a launch. */
export interface ChosenPreset {
  readonly preset: Preset;
  /** Undefined if the service chooses the minimum of the preset. */
  readonly creditBudget: number | undefined;
}

export interface PresetQuestion {
  /** The preset that the launch would name. Undefined if it would name none. */
  readonly ref: string | undefined;
  readonly creditBudget: number | undefined;
}

/**
 * The preset and the budget for a pull request. Undefined if the presets were not read, or if no preset or budget
 * fits.
 */
export function chosenPreset(
  service: ServiceFacts | undefined,
  { ref, creditBudget }: PresetQuestion,
): ChosenPreset | undefined {
  const presets = service?.lists?.presets;
  const preset = presets?.ok ? choosePreset(presets.value, ref) : undefined;
  const budget = preset?.ok ? chooseBudget(creditBudget, preset.value) : undefined;
  return preset?.ok && budget?.ok ? { preset: preset.value, creditBudget: budget.value } : undefined;
}

/** Rows about the presets: which preset each event uses, and whether the budget is enough. */
export function presetRows(service: ServiceFacts | undefined, question: PresetQuestion): readonly Row[] {
  const presets = service?.lists?.presets;
  if (presets === undefined) return [skipped('Preset', 'Not checked: the presets were not read.')];
  if (!presets.ok) return [errorOf('Preset', explainRead(presets.error), fixerOf(presets.error))];
  const { sound, malformed } = splitEntries(presets.value);
  const diff = choosePreset(presets.value, question.ref, 'diff');
  const full = choosePreset(presets.value, question.ref, 'full');
  const more = sound.length - MOST_SHOWN;
  return [
    ...sound.slice(0, MOST_SHOWN).map((preset) => ok('Preset', describe(preset))),
    ...(more > 0 ? [ok('Preset', `${more} more are not shown here.`)] : []),
    ...malformed
      .slice(0, MOST_SHOWN)
      .map(({ fault }) =>
        warning(
          'Preset',
          `The service lists a preset that is not as documented: ${fault}.`,
          'Support of the service',
          'Ask for presets as version 1 of the API documents them.',
        ),
      ),
    pullRequestRow(diff, full, question.ref),
    scheduleRow(full),
    ...budgetRows(diff, full, question),
  ];
}

function describe({ ref, name, minCredits, modelTier, description }: Preset): string {
  const minimum = minCredits === 0 ? 'no minimum of its own' : `at least ${minCredits} credits`;
  const tier = modelTier === undefined ? '' : `, model tier ${code(modelTier)}`;
  const about = description === undefined ? '' : ` ${foreignLine(description, LONGEST_DESCRIPTION)}`;
  return `${code(ref)} (${foreignLine(name)}): ${minimum}${tier}.${about}`;
}

type Choice = Result<Preset, NotScanned>;

function pullRequestRow(diff: Choice, full: Choice, ref: string | undefined): Row {
  if (!diff.ok) return errorOf('Pull request', diff.error, 'Workflow maintainer');
  const shown = code(diff.value.ref);
  if (ref !== undefined && full.ok && !looksLikeDiff(diff.value)) {
    return warning(
      'Pull request',
      `It would take ${shown}, whose name does not say that it scans a change. Any other preset refuses a base commit.`,
      'Workflow maintainer',
      'Check that this preset is a diff preset. On `schedule` and `workflow_dispatch` any other one is right.',
    );
  }
  return ok('Pull request', `It takes ${shown}. So do merge groups and pushes.`);
}

function scheduleRow(full: Choice): Row {
  if (full.ok) return ok('Schedule', `It takes ${code(full.value.ref)}. So does \`workflow_dispatch\`.`);
  return skipped(
    'Schedule',
    `Not possible with these inputs, and only a workflow on \`schedule\` or \`workflow_dispatch\` needs it. ${full.error.cause}`,
  );
}

function budgetRows(diff: Choice, full: Choice, { creditBudget }: PresetQuestion): readonly Row[] {
  const choices = [diff, full].flatMap((choice) => (choice.ok ? [choice.value] : []));
  const presets = [...new Map(choices.map((preset) => [preset.ref, preset])).values()];
  if (presets.length === 0) return [skipped('Budget', 'Not checked: no preset was chosen.')];
  return presets.map((preset, index) => {
    const budget = chooseBudget(creditBudget, preset);
    // A problem with the preset for full scans is no error, because a gate on pull requests never uses that preset.
    if (!budget.ok && index > 0)
      return skipped('Budget', `Not possible on a schedule. ${budget.error.cause}`);
    if (!budget.ok) return errorOf('Budget', budget.error, 'Workflow maintainer');
    const credits = budget.value === undefined ? 'the default of the service' : `${budget.value} credits`;
    return ok('Budget', `One scan by ${code(preset.ref)} reserves ${credits}.`);
  });
}
