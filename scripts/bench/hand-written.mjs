// Shows the least that a run without findings can cost. The script sends the same requests as the action, on Node.js alone,
// without retries, limits, marks, checks and reports. The benchmark puts it in place of dist/index.js.
import { appendFileSync, readFileSync } from 'node:fs';

const { env } = process;
const [owner, repo] = (env.GITHUB_REPOSITORY ?? '').split('/');
const token = env['INPUT_API-TOKEN'] ?? '';
console.log(`::add-mask::${token}`);
const { pull_request: pullRequest } = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8'));
const headSha = pullRequest.head.sha;

async function ask(url, bearer, method = 'GET', body = undefined) {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}
const service = (path, method, body) => ask(`${env['INPUT_BASE-URL']}${path}`, token, method, body);
const gitHub = (path, method, body) =>
  ask(`${env.GITHUB_API_URL}/repos/${owner}/${repo}${path}`, env['INPUT_GITHUB-TOKEN'], method, body);
const readPullRequest = () =>
  ask(env.GITHUB_GRAPHQL_URL, env['INPUT_GITHUB-TOKEN'], 'POST', {
    query: QUERY,
    variables: { owner, repo, number: pullRequest.number },
  });
const QUERY = `query($owner: String!, $repo: String!, $number: Int!) {
  viewer { login }
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      state
      updatedAt
      headRefOid
      baseRefName
      baseRef { target { oid } }
      comments(first: 100) {
        pageInfo { hasNextPage }
        nodes { fullDatabaseId url body author { __typename login } }
      }
    }
  }
}`;

const checkRuns = () => gitHub(`/commits/${headSha}/check-runs?filter=all&per_page=100&page=1`);
const [{ project: ofToken }, read] = await Promise.all([service('/token'), readPullRequest()]);
const project = `/projects/${ofToken.id}`;
const baseTip = read.data.repository.pullRequest.baseRef.target.oid;
const [{ repositories }, { presets }, , , compared] = await Promise.all([
  service(`${project}/repositories`),
  service(`${project}/scan-presets`),
  service(`${project}/scans?page=1&limit=100`),
  checkRuns(),
  gitHub(`/compare/${baseTip}...${headSha}?per_page=1&page=2`),
]);
const preset = presets.find(({ ref }) => /\bdiff\b/.test(ref));
const { scanId } = await service(`${project}/scans`, 'POST', {
  repositoryId: repositories[0].id,
  presetRef: preset.ref,
  creditBudget: preset.minCredits,
  baseCommit: compared.merge_base_commit.sha,
  commit: headSha,
});
const name = env['INPUT_CHECK-NAME'];
const [, checkRun] = await Promise.all([
  service(`${project}/scans/${scanId}`),
  gitHub('/check-runs', 'POST', { name, head_sha: headSha, status: 'in_progress' }),
]);
await checkRuns();
const { total } = await service(`${project}/findings?scanId=${scanId}&page=1&limit=100`);
await readPullRequest();
await gitHub(`/check-runs/${checkRun.id}`, 'PATCH', {
  status: 'completed',
  conclusion: 'success',
  output: { title: 'Passed', summary: 'The scan completed without findings.' },
});
appendFileSync(env.GITHUB_STEP_SUMMARY ?? '', 'The scan completed without findings.\n');
appendFileSync(env.GITHUB_OUTPUT ?? '', `outcome=passed\nfindings-reported=${total}\n`);
console.log('Passed: no findings');
