import { ASSUMED_NOTE } from '../../src/scan-api/triage-api.ts';
import { ASSUMED } from '../../src/scan-api/wire.ts';
import { CHOSEN_NAMES, LAUNCH_NAMES } from '../../src/scan-api/wire-writes.ts';

const PROJECT = '/projects/{projectId}';
export const LAUNCH = `POST ${PROJECT}/scans`;
export const SCAN = `GET ${PROJECT}/scans/{scanId}`;
export const RESOLUTION = `PATCH ${PROJECT}/findings/{findingId}/resolution`;
export const FAKE_ONLY = 'fake service only';

/** All names under which the action looks for one member. */
type Names = readonly string[];

/** What the action does with an endpoint. */
interface Use {
  readonly reads: readonly Names[];
  /** Those of a launch can have other names by the input `launch-parameters`. */
  readonly sends?: Names;
  /** What the endpoint is needed for, where the gate can do without it. The doctor only needs endpoints of the gate. */
  readonly feature?: string;
}

const { location, ...fields } = ASSUMED.finding;
const { weighted, reserved, ...subject } = ASSUMED.scan;
const LIST = each('page', 'limit', 'total');
const SUBJECT = [['status'], ...Object.values<Names>(subject)];
const FINDING = [
  ...each('severity', 'triageStatus', 'confirmationEvidence', 'resolutionStatus'),
  ...Object.values<Names>(fields),
  location.places.flatMap(([place, files]) => files.map((name) => place + name)),
  ...[location.startLine, location.endLine].map((lines) =>
    location.places.flatMap(([place]) => lines.map((name) => place + name)),
  ),
];
const PROGRESS = [...each('phasesCompleted', 'phasesTotal'), weighted, reserved];

/**
 * The endpoints that the action calls. The contract, `sandbox/contract/openapi.yaml`, has more endpoints. Only the fake
 * server needs them.
 */
export const USES: Readonly<Record<string, Use>> = {
  'GET /token': { reads: Object.values(ASSUMED.token) },
  [`GET ${PROJECT}/repositories`]: {
    reads: record(
      'repositories[]',
      each('id', 'owner', 'name', 'url', 'status', 'readiness', 'defaultBranch'),
    ),
  },
  [`GET ${PROJECT}/scan-presets`]: {
    reads: record('presets[]', each('ref', 'name', 'minCredits', 'modelTier', 'description')),
  },
  [`GET ${PROJECT}/repositories/{repositoryId}/guidance`]: {
    reads: [['content']],
    feature: '`guidance-file`',
  },
  [`GET ${PROJECT}/scans`]: { reads: [...LIST, ...record('items[]', SUBJECT)] },
  [LAUNCH]: {
    reads: [ASSUMED.launchedScan],
    sends: [...Object.values<string>(CHOSEN_NAMES), LAUNCH_NAMES.guidance],
  },
  [SCAN]: { reads: record('scan', [...SUBJECT, ...record('progress', PROGRESS)]) },
  [`POST ${PROJECT}/scans/{scanId}/cancel`]: { reads: [['status']] },
  [`POST ${PROJECT}/scans/{scanId}/publish`]: {
    reads: each('publicId', 'accessPassword'),
    sends: ['withPassword'],
    feature: '`publish`',
  },
  [`GET ${PROJECT}/findings`]: { reads: [...LIST, ...record('items[]', FINDING)] },
  [`GET ${PROJECT}/findings/{findingId}`]: {
    reads: record('finding', [
      ...FINDING,
      ASSUMED_NOTE.notes,
      ASSUMED_NOTE.content.map((name) => `notes[].${name}`),
    ]),
  },
  [RESOLUTION]: {
    reads: each('findingId', 'resolutionStatus'),
    sends: ['resolutionStatus', 'note', 'note.content'],
    feature: 'triage by comment',
  },
};

/** Says what an endpoint is needed for: `always`, `for` a feature, or `FAKE_ONLY`. */
export function neededFor(endpoint: string): string {
  const { [endpoint]: use } = USES;
  if (use === undefined) return FAKE_ONLY;
  return use.feature === undefined ? 'always' : `for ${use.feature}`;
}

/**
 * Returns all names under which the action looks for a member. If the member is a record, returns the names of a member
 * inside it. Empty if the action does not look for the member.
 */
export function candidatesOf(endpoint: string, name: string): Names {
  const reads = USES[endpoint]?.reads ?? [];
  return (
    reads.find((names) => names.includes(name)) ??
    reads.find((names) => names.some((one) => one.startsWith(`${name}.`))) ??
    []
  );
}

function each(...names: Names): Names[] {
  return names.map((name) => [name]);
}

/** The names of a record or a list of records, and those of its members. Writes `cwes[].id` for `cwes.0.id`. */
function record(at: string, members: readonly Names[]): Names[] {
  const inside = members.map((names) =>
    names.map((name) => `${at}.${name.replaceAll(/\.0(?=\.|$)/g, '[]')}`),
  );
  return [[at.replace('[]', '')], ...inside];
}
