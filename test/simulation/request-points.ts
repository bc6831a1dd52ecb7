import type { Side } from './fault-kinds.ts';
import { GUIDANCE_FILE, type HeadName } from './shared-fixture.ts';

/** A kind of request that a run sends. */
export interface RequestPoint<Name extends string = PointName> {
  readonly name: Name;
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

export type PointName = (typeof REQUEST_POINTS)[number]['name'];
export const REQUEST_POINTS = [
  { ...service('token', 'token', 'read', []), onNewConnection: true },
  { ...service('repositories', 'repositories', 'read', ['token']), onNewConnection: true },
  { ...service('presets', 'presets', 'read', ['token']), onNewConnection: true },
  { ...service('scan list', 'scans.list', 'read', ['token']), onNewConnection: true },
  {
    ...service('scan list, lost launch', 'scans.list', 'read', ['scans.launch']),
    alsoInService: 'launch answer lost',
    onNewConnection: true,
  },
  service('launch', 'scans.launch', 'write', PREFLIGHT),
  {
    ...service('launch, hidden scope', 'scans.launch', 'write', PREFLIGHT),
    alsoInService: 'scope hidden',
  },
  {
    ...service('poll', 'scans.read', 'read', ['scans.launch']),
    anew: 'scans.cancel',
    inputs: { 'timeout-minutes': '15' },
  },
  {
    ...service('cancel', 'scans.cancel', 'write', ['scans.read']),
    alsoInService: 'other commit shown',
  },
  {
    ...service('findings 1', 'findings.list', 'read', ['scans.read']),
    head: 'vulnerable',
    inputs: { 'timeout-minutes': '15' },
  },
  {
    ...service('findings n', 'findings.list', 'read', ['findings.list']),
    head: 'many',
    inputs: { 'timeout-minutes': '15' },
    which: (path) => page(path) > 1,
  },
  {
    ...service('finding', 'findings.read', 'read', ['findings.list']),
    inputs: { 'fail-on': 'medium', 'fail-on-evidence': 'poc' },
    alsoInService: 'evidence only in details',
  },
  {
    ...service('publish', 'scans.publish', 'write', ['findings.read']),
    inputs: { publish: 'always' },
  },
  { ...gitHub('pull request', 'graphql', 'read', []), onNewConnection: true, anew: 'scans.launch' },
  { ...gitHub('compare', 'compare', 'read', ['graphql']), onNewConnection: true },
  { ...gitHub('graphql', 'graphql', 'read', ['check.create']), onNewConnection: true },
  {
    ...gitHub('comment list, no GraphQL', 'comments.list', 'read', ['check.create', 'pulls.read']),
    alsoInGitHub: 'GraphQL refused',
    anew: 'comments.create',
  },
  gitHub('comment list', 'comments.list', 'read', ['comments.create']),
  gitHub('comment write', 'comments.create', 'write', ['check.create', 'graphql']),
  gitHub('check create', 'check.create', 'write', ['compare', 'check.list']),
  gitHub('check update', 'check.update', 'write', ['check.create']),
  { ...gitHub('commit pulls', 'commit.pulls', 'read', []), event: 'push', onNewConnection: true },
  { ...gitHub('guidance tree', 'tree', 'read', ['graphql']), inputs: GUIDED, onNewConnection: true },
  { ...gitHub('guidance blob', 'blob', 'read', ['tree', 'compare']), inputs: GUIDED },
  { ...service('stored guidance', 'guidance.read', 'read', PREFLIGHT), inputs: GUIDED },
  {
    ...gitHub('changed files', 'tree', 'read', ['graphql', 'compare']),
    inputs: { 'paths-unscanned': '*.md' },
  },
  { ...service('launch, push', 'scans.launch', 'write', PREFLIGHT), event: 'push' },
  { ...service('launch, schedule', 'scans.launch', 'write', PREFLIGHT), event: 'schedule' },
] satisfies readonly RequestPoint<string>[];

function service<Name extends string>(
  name: Name,
  at: string,
  access: 'read' | 'write',
  after: readonly string[],
): RequestPoint<Name> {
  return { name, side: 'service', access, at, after, head: 'medium' };
}

function gitHub<Name extends string>(
  name: Name,
  at: string,
  access: 'read' | 'write',
  after: readonly string[],
): RequestPoint<Name> {
  return { ...service(name, at, access, after), side: 'github' };
}
