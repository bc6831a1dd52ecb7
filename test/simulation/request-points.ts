import type { Side } from './fault-kinds.ts';
import { GUIDANCE_FILE, type HeadName } from './shared-fixture.ts';

export type PointName =
  | 'token'
  | 'repositories'
  | 'presets'
  | 'scan list'
  | 'scan list, lost launch'
  | 'launch'
  | 'launch, hidden scope'
  | 'poll'
  | 'cancel'
  | 'findings 1'
  | 'findings n'
  | 'finding'
  | 'publish'
  | 'pull request'
  | 'compare'
  | 'graphql'
  | 'comment list, no GraphQL'
  | 'comment list'
  | 'comment write'
  | 'check create'
  | 'check update'
  | 'commit pulls'
  | 'guidance tree'
  | 'guidance blob'
  | 'stored guidance'
  | 'changed files'
  | 'launch, push'
  | 'launch, schedule';

/** A kind of request that a run sends. */
export interface RequestPoint<Name extends string = PointName> {
  readonly name: Name;
  /** The title of the column in the printed matrix. */
  readonly short: string;
  readonly side: Side;
  readonly access: 'read' | 'write';
  /** The fake server's name for the request. */
  readonly at: string;
  /** Selects some of the requests with this name, by their path. Default: all. */
  readonly which?: (path: string) => boolean;
  /** The names of the requests that the run sends before this one. The fault begins after all of them have arrived. */
  readonly after: readonly string[];
  readonly head: HeadName;
  /** The event of the run. Default: the event of a pull request. */
  readonly event?: 'push' | 'schedule';
  readonly inputs?: Readonly<Record<string, string>>;
  /** What happens in the service besides the fault, so that the run sends this request at all. */
  readonly alsoInService?:
    | 'launch answer lost'
    | 'scope hidden'
    | 'other commit shown'
    | 'evidence only in details'
    | 'change answer lost'
    | 'change lost';
  readonly alsoInGitHub?: 'GraphQL refused';
  /**
   * The fake server's name for a request that can come between two requests of this kind. The second one is then not a
   * retry.
   */
  readonly anew?: string;
  /**
   * True if the connection of the request cannot be stale. The request is then the first on its connection, or is sent
   * at the same time as other requests.
   */
  readonly onNewConnection?: true;
}

const page = (path: string) => Number(new URLSearchParams(path.split('?')[1]).get('page'));
const PREFLIGHT = ['repositories', 'presets', 'scans.list'];
const GUIDED = { 'guidance-file': GUIDANCE_FILE };

export const REQUEST_POINTS: readonly RequestPoint[] = [
  { ...service('token', 'tok', 'token', 'read', []), onNewConnection: true },
  { ...service('repositories', 'rep', 'repositories', 'read', ['token']), onNewConnection: true },
  { ...service('presets', 'pre', 'presets', 'read', ['token']), onNewConnection: true },
  { ...service('scan list', 'lst', 'scans.list', 'read', ['token']), onNewConnection: true },
  {
    ...service('scan list, lost launch', 'los', 'scans.list', 'read', ['scans.launch']),
    alsoInService: 'launch answer lost',
    onNewConnection: true,
  },
  service('launch', 'lau', 'scans.launch', 'write', PREFLIGHT),
  {
    ...service('launch, hidden scope', 'lah', 'scans.launch', 'write', PREFLIGHT),
    alsoInService: 'scope hidden',
  },
  {
    ...service('poll', 'pol', 'scans.read', 'read', ['scans.launch']),
    anew: 'scans.cancel',
    inputs: { 'timeout-minutes': '15' },
  },
  {
    ...service('cancel', 'can', 'scans.cancel', 'write', ['scans.read']),
    alsoInService: 'other commit shown',
  },
  {
    ...service('findings 1', 'fi1', 'findings.list', 'read', ['scans.read']),
    head: 'vulnerable',
    inputs: { 'timeout-minutes': '15' },
  },
  {
    ...service('findings n', 'fin', 'findings.list', 'read', ['findings.list']),
    head: 'many',
    inputs: { 'timeout-minutes': '15' },
    which: (path) => page(path) > 1,
  },
  {
    ...service('finding', 'det', 'findings.read', 'read', ['findings.list']),
    inputs: { 'fail-on': 'medium', 'fail-on-evidence': 'poc' },
    alsoInService: 'evidence only in details',
  },
  {
    ...service('publish', 'pub', 'scans.publish', 'write', ['findings.read']),
    inputs: { publish: 'always' },
  },
  { ...gitHub('pull request', 'pul', 'graphql', 'read', []), onNewConnection: true, anew: 'scans.launch' },
  { ...gitHub('compare', 'cmp', 'compare', 'read', ['graphql']), onNewConnection: true },
  { ...gitHub('graphql', 'gql', 'graphql', 'read', ['check.create']), onNewConnection: true },
  {
    ...gitHub('comment list, no GraphQL', 'cmn', 'comments.list', 'read', ['check.create', 'pulls.read']),
    alsoInGitHub: 'GraphQL refused',
    anew: 'comments.create',
  },
  gitHub('comment list', 'cml', 'comments.list', 'read', ['comments.create']),
  gitHub('comment write', 'cmw', 'comments.create', 'write', ['check.create', 'graphql']),
  gitHub('check create', 'chc', 'check.create', 'write', ['compare', 'check.list']),
  gitHub('check update', 'chu', 'check.update', 'write', ['check.create']),
  { ...gitHub('commit pulls', 'cpl', 'commit.pulls', 'read', []), event: 'push', onNewConnection: true },
  { ...gitHub('guidance tree', 'gtr', 'tree', 'read', ['graphql']), inputs: GUIDED, onNewConnection: true },
  { ...gitHub('guidance blob', 'gbl', 'blob', 'read', ['tree', 'compare']), inputs: GUIDED },
  { ...service('stored guidance', 'sgu', 'guidance.read', 'read', PREFLIGHT), inputs: GUIDED },
  {
    ...gitHub('changed files', 'chf', 'tree', 'read', ['graphql', 'compare']),
    inputs: { 'paths-unscanned': '*.md' },
  },
  { ...service('launch, push', 'lap', 'scans.launch', 'write', PREFLIGHT), event: 'push' },
  { ...service('launch, schedule', 'las', 'scans.launch', 'write', PREFLIGHT), event: 'schedule' },
];

function service(
  name: PointName,
  short: string,
  at: string,
  access: RequestPoint['access'],
  after: readonly string[],
): RequestPoint {
  return { name, short, side: 'service', access, at, after, head: 'medium' };
}

function gitHub(
  name: PointName,
  short: string,
  at: string,
  access: RequestPoint['access'],
  after: readonly string[],
): RequestPoint {
  return { name, short, side: 'github', access, at, after, head: 'medium' };
}
