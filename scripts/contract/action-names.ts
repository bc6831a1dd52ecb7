import { ASSUMED_NOTE } from '../../src/scan-api/triage-api.ts';
import { ASSUMED } from '../../src/scan-api/wire.ts';
import { CHOSEN_NAMES, LAUNCH_NAMES } from '../../src/scan-api/wire-writes.ts';

const PROJECT = '/projects/{projectId}';

/**
 * The key is an endpoint that the action calls. The value lists the members that the action reads under only one name.
 * `CANDIDATES` has the members with several possible names. The contract, `sandbox/contract/openapi.yaml`, has more
 * endpoints. Only the fake server needs them.
 */
export const CALLED: Readonly<Record<string, readonly string[]>> = {
  'GET /token': [],
  [`GET ${PROJECT}/repositories`]: [
    'repositories',
    ...within('repositories[].', ['id', 'owner', 'name', 'url', 'status', 'readiness', 'defaultBranch']),
  ],
  [`GET ${PROJECT}/scan-presets`]: [
    'presets',
    ...within('presets[].', ['ref', 'name', 'minCredits', 'modelTier', 'description']),
  ],
  [`GET ${PROJECT}/repositories/{repositoryId}/guidance`]: ['content'],
  [`GET ${PROJECT}/scans`]: ['items', 'page', 'limit', 'total', 'items[].status'],
  [`POST ${PROJECT}/scans`]: [],
  [`GET ${PROJECT}/scans/{scanId}`]: [
    'scan',
    ...within('scan.', ['status', 'progress', 'progress.phasesCompleted', 'progress.phasesTotal']),
  ],
  [`POST ${PROJECT}/scans/{scanId}/cancel`]: ['status'],
  [`POST ${PROJECT}/scans/{scanId}/publish`]: ['publicId', 'accessPassword'],
  [`GET ${PROJECT}/findings`]: ['items', 'page', 'limit', 'total', ...within('items[].', findingMembers())],
  [`GET ${PROJECT}/findings/{findingId}`]: ['finding', ...within('finding.', findingMembers())],
  [`PATCH ${PROJECT}/findings/{findingId}/resolution`]: ['findingId', 'resolutionStatus'],
};

export const LAUNCH = `POST ${PROJECT}/scans`;
export const SCAN = `GET ${PROJECT}/scans/{scanId}`;
export const RESOLUTION = `PATCH ${PROJECT}/findings/{findingId}/resolution`;
const PUBLISH = `POST ${PROJECT}/scans/{scanId}/publish`;

/** What an endpoint is needed for, where the gate can do without it. The doctor only needs endpoints of the gate. */
const NEEDED_FOR: Readonly<Record<string, string>> = {
  [`GET ${PROJECT}/repositories/{repositoryId}/guidance`]: 'for `guidance-file`',
  [PUBLISH]: 'for `publish`',
  [RESOLUTION]: 'for triage by comment',
};

/** Says what an endpoint is needed for: `always`, `for` a feature, or `FAKE_ONLY`. */
export function neededFor(endpoint: string): string {
  if (!isCalled(endpoint)) return FAKE_ONLY;
  return NEEDED_FOR[endpoint] ?? 'always';
}

export const FAKE_ONLY = 'fake service only';

/** The members that the action sends. Those of a launch can have other names by the input `launch-parameters`. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  [LAUNCH]: [...Object.values<string>(CHOSEN_NAMES), LAUNCH_NAMES.guidance],
  [PUBLISH]: ['withPassword'],
  [RESOLUTION]: ['resolutionStatus', 'note', 'note.content'],
};

const { finding, launchedScan, scan, token } = ASSUMED;
const { location, ...fields } = finding;
const { weighted, reserved, ...subject } = scan;

type Group = readonly string[];

const inPlaces = (members: Group) =>
  location.places.flatMap(([prefix]) => members.map((member) => prefix + member));
const SUBJECT: readonly Group[] = Object.values(subject);
const PROGRESS: readonly Group[] = [weighted, reserved].map((names) => within('progress.', names));
const FINDING: readonly Group[] = [
  ...Object.values<Group>(fields),
  location.places.flatMap(([prefix, files]) => files.map((file) => prefix + file)),
  inPlaces(location.startLine),
  inPlaces(location.endLine),
];

const NOTES: readonly Group[] = [ASSUMED_NOTE.notes, within('notes[].', ASSUMED_NOTE.content)];

/** For each endpoint, the record that the action reads, and the possible names of each member. */
const CANDIDATES: Readonly<Record<string, readonly [record: string, groups: readonly Group[]]>> = {
  'GET /token': ['', Object.values(token)],
  [LAUNCH]: ['', [launchedScan]],
  [`GET ${PROJECT}/scans`]: ['items[].', SUBJECT],
  [`GET ${PROJECT}/scans/{scanId}`]: ['scan.', [...SUBJECT, ...PROGRESS]],
  [`GET ${PROJECT}/findings`]: ['items[].', FINDING],
  [`GET ${PROJECT}/findings/{findingId}`]: ['finding.', [...FINDING, ...NOTES]],
};

export function isCalled(endpoint: string): boolean {
  return Object.hasOwn(CALLED, endpoint);
}

/**
 * Returns all names under which the action looks for a member. If the member is a record, returns the names of a member
 * inside it. Empty if the action does not look for the member.
 */
export function candidatesOf(endpoint: string, name: string): readonly string[] {
  const [record = '', groups = []] = CANDIDATES[endpoint] ?? [];
  const named = groups.map((group) => within(record, group).map(asListed));
  const itself = named.find((group) => group.includes(name));
  if (itself !== undefined) return itself;
  if (CALLED[endpoint]?.includes(name)) return [name];
  return named.find((group) => group.some((one) => one.startsWith(`${name}.`))) ?? [];
}

/** Returns the JSON types that the action accepts for a member. For `cwe`, it also accepts a JSON number. */
export function typesRead(name: string, types: readonly string[]): readonly string[] {
  return /(?:^|\.)cwe$/.test(name) ? [...types, 'number'] : types;
}

/** True if upper and lower case mean the same to the action in the words of this member. */
export function ignoresCase(name: string): boolean {
  return /(?:^|\.)(?:severity|triageStatus|confirmationEvidence)$/.test(name);
}

/** True if the action sends this member to the endpoint. */
export function isSent(endpoint: string, name: string): boolean {
  return SENT[endpoint]?.includes(name) ?? false;
}

/** True if the input `launch-parameters` can send this member of a launch under another name. */
export function isRenamable(name: string): boolean {
  return Object.values<string>(CHOSEN_NAMES).includes(name) && name !== CHOSEN_NAMES.baseSha;
}

function findingMembers(): Group {
  return ['severity', 'triageStatus', 'confirmationEvidence', 'resolutionStatus'];
}

function within(record: string, names: readonly string[]): string[] {
  return names.map((name) => record + name);
}

/** Writes the path of a member as a contract does: `cwes[].id` for `cwes.0.id`. */
function asListed(name: string): string {
  return name.replaceAll(/\.0(?=\.|$)/g, '[]');
}
