import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDemoEnvironment } from '../sandbox/demo/demo-environment.ts';
import { sampleChange } from '../sandbox/demo/local-change.ts';
import { commentEvent } from '../sandbox/demo/show-triage.ts';

// Runs the triage action by `act`, a program that runs workflows on this machine. The events, inputs and secrets are
// those of docs/examples/triage.yml. The only changes to that file are the address of the service, and that `queue`
// is left out, which act does not know.

const ROOT = path.resolve(import.meta.dirname, '..');
const GATE_RUN = 9_000_000_001;
const LONGEST_MS = 300_000;

const [act = 'act'] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'scangate-act-'));
const change = await sampleChange();
const environment = await createDemoEnvironment(change);
const { github, service, repository, pullRequest } = environment;
const triageToken = service.tokens[1]?.token ?? '';

/** Writes a comment, and runs the workflow for it. Returns what act printed. */
async function runAct(author: string, body: string) {
  const comment = github.addComment({ issue: pullRequest, author, body });
  const event = path.join(folder, 'event.json');
  const secrets = path.join(folder, 'secrets');
  writeFileSync(event, JSON.stringify(commentEvent(environment, comment)));
  writeFileSync(
    secrets,
    `GITHUB_TOKEN=${github.token}\nSCANGATE_API_TOKEN=${service.token}\nSCANGATE_TRIAGE_TOKEN=${triageToken}\n`,
  );
  const env = { GITHUB_API_URL: github.apiUrl, GITHUB_GRAPHQL_URL: github.graphqlUrl };
  const given = Object.entries({ ...env, GITHUB_SERVER_URL: github.serverUrl });
  const line = ['issue_comment', '-e', event, '--secret-file', secrets, '-P', 'ubuntu-latest=-self-hosted'];
  line.push('--no-cache-server', '--action-cache-path', path.join(folder, 'cache'));
  line.push('--local-repository', `scangate/scangate@v0=${folder}/action`);
  line.push(...given.flatMap(([name, value]) => ['--env', `${name}=${value}`]));
  try {
    const options = { cwd: path.join(folder, 'checkout'), timeout: LONGEST_MS };
    const { stdout, stderr } = await promisify(execFile)(act, line, options);
    return { exitCode: 0, log: `${stdout}${stderr}` };
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error;
    return { exitCode: 1, log: `${error.message}\n${error.stdout}${error.stderr}` };
  }
}

/** Creates a checkout with the workflow. Next to it are the files of the action, as a runner downloads them. */
function prepare(): void {
  const workflows = path.join(folder, 'checkout/.github/workflows');
  const action = path.join(folder, 'action');
  mkdirSync(workflows, { recursive: true });
  mkdirSync(action);
  const example = readFileSync(path.join(ROOT, 'docs/examples/triage.yml'), 'utf8');
  const workflow = example
    .replace('https://scanner.example.com/api/v1', service.baseUrl)
    .replace(/^ +queue: max\n/m, '');
  writeFileSync(path.join(workflows, 'triage.yml'), workflow);
  execFileSync('cp', ['-r', 'dist', 'triage', action], { cwd: ROOT });
  const git = (...line: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=demo', '-c', 'user.email=demo@example.com', ...line], {
      cwd: path.join(folder, 'checkout'),
    });
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', `https://github.com/${repository}`);
  git('add', '.');
  git('commit', '--quiet', '--message=Add the workflow');
}

let isAsExpected = true;
function expectThat(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok' : 'NOT AS EXPECTED'}: ${what}`);
  isAsExpected &&= holds;
}

try {
  prepare();
  const startedAt = new Date();
  const gate = await environment.run({ runId: GATE_RUN });
  expectThat('the gate blocks', gate.outputs['outcome'] === 'blocked');
  github.workflowRuns.put({ id: GATE_RUN, headSha: change.headSha, createdAt: startedAt, startedAt });
  Object.assign(github.permissions, { actions: 'write', checks: 'read', contents: 'none' });
  const before = JSON.stringify(service.ledger());
  const labels = service.scans()[0]?.findingIds.map((id) => `ZK-${id.slice(-8)}`) ?? [];
  const changes = () => service.requests.filter(({ method }) => method === 'PATCH').length;
  const [maintainer = ''] = repository.split('/');

  const ignored = await runAct('mallory', `/scangate false-positive ${labels.join(' ')}`);
  expectThat('a stranger changes nothing', ignored.exitCode === 0 && changes() === 0);
  const done = await runAct(maintainer, `/scangate false-positive ${labels.join(' ')} not_reachable`);
  console.log(done.log);
  expectThat('a maintainer closes the findings', done.exitCode === 0 && changes() === labels.length);
  expectThat('the output is there', done.log.includes('rerun=1'));
  expectThat('the job runs again', github.workflowRuns.all[0]?.attempt === 2);
  expectThat('no credit is used', JSON.stringify(service.ledger()) === before);
  expectThat('no token is shown', ![ignored, done].some(({ log }) => log.includes(triageToken)));
} finally {
  await environment.close();
  await change.remove();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isAsExpected ? 0 : 1;
