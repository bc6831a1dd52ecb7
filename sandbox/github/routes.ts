import type { Answer } from '../faults/interception.ts';
import { type Need, read, write } from './access.ts';
import { found, NOT_FOUND, refuse } from './answer.ts';
import { TOKEN_AUTHOR } from './comments.ts';
import { compare } from './compare.ts';
import { contents } from './contents.ts';
import { readBlob, readTree } from './git-objects.ts';
import { renderRules } from './merge-queues.ts';
import { paged } from './paging.ts';
import { renderBranch } from './protection.ts';
import {
  newestFirst,
  type PullRequestRecord,
  pullRequestsOf,
  renderCommits,
  renderPullRequest,
} from './pull-requests.ts';
import { branchTip, commitTree, resolveCommit } from './refs.ts';
import type { CollaboratorPermission, GitHubState, Route, RouteCall } from './route.ts';
import { userIdOf } from './user-id.ts';

const DEFAULT_BRANCH = 'main';

const COLLABORATORS: Need = { anyOf: ['metadata'], access: 'read', publicReadable: false };
const CONTENTS = read('contents');
const PULLS = read('pull-requests');
const READ_COMMENT = read('issues', 'pull-requests');
const WRITE_COMMENT = write('issues', 'pull-requests');
const RUNS = read('actions');

/** All endpoints below `/repos/{owner}/{repo}`. */
export const ROUTES = [
  route('repository', 'GET', /^$/, read('metadata'), readRepository),
  route('branch', 'GET', /^branches\/([^/]+)$/, CONTENTS, readBranch),
  route('contents', 'GET', /^contents\/(.+)$/, CONTENTS, readContents),
  route('compare', 'GET', /^compare\/(.+)$/, CONTENTS, compare),
  route('ref', 'GET', /^git\/ref\/(.+)$/, CONTENTS, readRef),
  route('commit', 'GET', /^git\/commits\/([0-9a-f]+)$/, CONTENTS, readCommit),
  route('tree', 'GET', /^git\/trees\/([0-9a-f]+)$/, CONTENTS, readTree),
  route('blob', 'GET', /^git\/blobs\/([0-9a-f]+)$/, CONTENTS, readBlob),
  route('rules', 'GET', /^rules\/branches\/(.+)$/, read('metadata'), listRules),
  route('permission', 'GET', /^collaborators\/([^/]+)\/permission$/, COLLABORATORS, readPermission),
  route('check.create', 'POST', /^check-runs$/, write('checks'), createCheckRun),
  route('check.update', 'PATCH', /^check-runs\/(\d+)$/, write('checks'), onCheckRun('update')),
  route('check.read', 'GET', /^check-runs\/(\d+)$/, read('checks'), onCheckRun('read')),
  route('check.list', 'GET', /^commits\/(.+)\/check-runs$/, read('checks'), listCheckRuns),
  route('commit.pulls', 'GET', /^commits\/([0-9a-f]+)\/pulls$/, PULLS, listPullsOfCommit),
  route('pulls.list', 'GET', /^pulls$/, PULLS, listPulls),
  route('pulls.read', 'GET', /^pulls\/(\d+)$/, PULLS, readPull),
  route('pulls.commits', 'GET', /^pulls\/(\d+)\/commits$/, PULLS, listCommits),
  route('comments.list', 'GET', /^issues\/(\d+)\/comments$/, READ_COMMENT, listComments),
  route('comments.create', 'POST', /^issues\/(\d+)\/comments$/, WRITE_COMMENT, createComment),
  route('comments.read', 'GET', /^issues\/comments\/(\d+)$/, READ_COMMENT, onComment('read')),
  route('comments.update', 'PATCH', /^issues\/comments\/(\d+)$/, WRITE_COMMENT, onComment('update')),
  route('comments.delete', 'DELETE', /^issues\/comments\/(\d+)$/, WRITE_COMMENT, onComment('remove')),
  route('comments.react', 'POST', /^issues\/comments\/(\d+)\/reactions$/, WRITE_COMMENT, onComment('react')),
  route('run.read', 'GET', /^actions\/runs\/(\d+)$/, RUNS, onRun('read')),
  route('run.list', 'GET', /^actions\/workflows\/(\d+)\/runs$/, RUNS, onRun('list')),
  route('run.jobs', 'GET', /^actions\/runs\/(\d+)\/jobs$/, RUNS, onRun('listJobs')),
  route('job.rerun', 'POST', /^actions\/jobs\/(\d+)\/rerun$/, write('actions'), rerunJob),
];

/** The kinds of requests to GitHub. */
export type Point = (typeof ROUTES)[number]['point'] | 'user' | 'graphql' | 'git' | 'unknown';

function route<const Name extends string>(
  point: Name,
  method: string,
  pattern: RegExp,
  need: Need,
  handle: Route['handle'],
): Route<Name> {
  return { point, method, pattern, need, handle };
}

function readRepository(_: RouteCall, { fullName, isPublic, urls }: GitHubState): Answer {
  const visibility = isPublic ? 'public' : 'private';
  const shown = { full_name: fullName, private: !isPublic, visibility, html_url: urls.html };
  return found({ ...shown, default_branch: DEFAULT_BRANCH });
}

async function readBranch({ param: branch }: RouteCall, state: GitHubState): Promise<Answer> {
  const sha = await branchTip(state.mirror, branch);
  if (sha === undefined) return refuse(404, 'Branch not found');
  return found(renderBranch(branch, sha, state.requiredChecks?.[branch] ?? {}, state.urls.api));
}

async function readContents({ param: path, query }: RouteCall, { mirror }: GitHubState): Promise<Answer> {
  const sha = await resolveCommit(mirror, query.get('ref') ?? DEFAULT_BRANCH);
  return sha === undefined ? NOT_FOUND : contents(mirror, sha, path);
}

async function readRef({ param: ref }: RouteCall, { mirror, urls }: GitHubState): Promise<Answer> {
  const sha = await resolveCommit(mirror, `refs/${ref}`);
  if (sha === undefined) return NOT_FOUND;
  const object = { type: 'commit', sha, url: `${urls.api}/git/commits/${sha}` };
  return found({ ref: `refs/${ref}`, url: `${urls.api}/git/refs/${ref}`, object });
}

async function readCommit({ param: sha, url }: RouteCall, { mirror, urls }: GitHubState): Promise<Answer> {
  const tree = await commitTree(mirror, sha);
  return found(tree && { sha, url, tree: { sha: tree, url: `${urls.api}/git/trees/${tree}` } });
}

function listRules(call: RouteCall, { mergeQueues, requiredChecks }: GitHubState): Answer {
  const { param: branch } = call;
  return paged(call, renderRules(mergeQueues?.[branch], requiredChecks?.[branch] ?? {}));
}

function readPermission({ param: login }: RouteCall, state: GitHubState): Answer {
  const role = roleOf(login, state);
  const permission = role === 'maintain' ? 'write' : role === 'triage' ? 'read' : role;
  return found({ permission, role_name: role, user: { login, id: userIdOf(login), type: 'User' } });
}

function roleOf(login: string, state: GitHubState): CollaboratorPermission {
  const known = Object.entries(state.collaborators).find(
    ([name]) => name.toLowerCase() === login.toLowerCase(),
  );
  if (known !== undefined) return known[1];
  if (login.toLowerCase() === state.owner.toLowerCase()) return 'admin';
  return state.isPublic ? 'read' : 'none';
}

function createCheckRun({ body }: RouteCall, { checkRuns, mirror }: GitHubState): Promise<Answer> {
  return checkRuns.create(body, (sha) => resolveCommit(mirror, sha));
}

function onCheckRun(method: 'read' | 'update'): Route['handle'] {
  return ({ param, body }, { checkRuns }) => checkRuns[method](Number(param), body);
}

async function listCheckRuns(call: RouteCall, { checkRuns, mirror }: GitHubState): Promise<Answer> {
  const sha = await resolveCommit(mirror, call.param);
  return sha === undefined ? noCommit(call) : checkRuns.list(sha, call);
}

function noCommit({ param }: RouteCall): Answer {
  return refuse(422, `No commit found for SHA: ${param}`);
}

async function listPullsOfCommit(call: RouteCall, state: GitHubState): Promise<Answer> {
  if ((await resolveCommit(state.mirror, call.param)) === undefined) return noCommit(call);
  const pulls = pullRequestsOf(state.pullRequests.values(), call.param);
  return paged(call, await Promise.all(pulls.map((pull) => renderWithBase(pull, state))));
}

async function renderWithBase(pull: PullRequestRecord, state: GitHubState): Promise<unknown> {
  return renderPullRequest(pull, state, await resolveCommit(state.mirror, pull.baseRef));
}

function listPulls(call: RouteCall, state: GitHubState): Answer {
  const open = [...state.pullRequests.values()].filter((pull) => pull.state === 'open');
  return paged(call, newestFirst(open), (page) =>
    page.map((pull) => renderPullRequest(pull, state, undefined)),
  );
}

async function readPull({ param }: RouteCall, state: GitHubState): Promise<Answer> {
  const pull = state.pullRequests.get(Number(param));
  return found(pull && (await renderWithBase(pull, state)));
}

function listCommits(call: RouteCall, { pullRequests }: GitHubState): Answer {
  const pull = pullRequests.get(Number(call.param));
  return pull === undefined ? NOT_FOUND : paged(call, renderCommits(pull));
}

function listComments(call: RouteCall, { comments, pullRequests }: GitHubState): Answer {
  const number = Number(call.param);
  return pullRequests.has(number) ? comments.list(number, call) : NOT_FOUND;
}

function createComment({ param, body }: RouteCall, { comments, pullRequests }: GitHubState): Answer {
  const number = Number(param);
  return pullRequests.has(number) ? comments.create(number, body) : NOT_FOUND;
}

function onComment(method: 'read' | 'update' | 'remove' | 'react'): Route['handle'] {
  return ({ param, body }, { comments }) => comments[method](Number(param), body);
}

function onRun(method: 'read' | 'list' | 'listJobs'): Route['handle'] {
  return (call, { workflowRuns }) => workflowRuns[method](Number(call.param), call);
}

function rerunJob({ param }: RouteCall, { workflowRuns }: GitHubState): Answer {
  const { author, type } = TOKEN_AUTHOR;
  return workflowRuns.rerun(Number(param), { login: author, type });
}
