import type { CommitSeed } from '../../../sandbox/github/pull-requests.ts';
import type { CollaboratorPermission } from '../../../sandbox/github/route.ts';
import { isObject } from '../../../sandbox/json.ts';
import { openRepository } from '../../scenarios/repository.ts';
import { comment, sweep } from '../../scenarios/triage/blocked-pull-request.ts';
import { openEnvironment } from '../../support/driver/environment.ts';
import { AUTHOR, accountOf, CAST, type CommitKind, commitOf } from './cast.ts';
import { commandLineOf } from './command-line.ts';
import { type Faulty, faulty } from './faults.ts';
import { createGateRuns } from './gate-runs.ts';
import { judgeCommand, judgeRerun, judgeSweep, repliesOf } from './judge.ts';
import type { Comment, Plan, Step } from './plan.ts';
import { ledgerOf } from './truth.ts';

const PULL_REQUEST = 7;
const FIRST_RUN = 9_000_000_001;

/** Runs the weeks, and returns the promises that were broken. */
export async function simulateWeeks(
  { who, steps }: Plan,
  counts: Record<string, number>,
): Promise<readonly string[]> {
  const repository = await openRepository();
  const roles: Record<string, CollaboratorPermission> = Object.fromEntries(
    Object.entries(CAST).map(([name, { role }]) => [name, role]),
  );
  let fault: Faulty = faulty(undefined);
  const environment = await openEnvironment({
    driver: 'in process',
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    service: {
      tokens: [{}, { scopes: ['read', 'findings:write'] }],
      intercept: ({ point }) => fault.intercept('service', point, environment.date()),
    },
    github: {
      collaborators: roles,
      intercept: ({ point }) => fault.intercept('github', point, environment.date()),
    },
  });
  const { github, service } = environment;
  const triageToken = service.tokens[1]?.token ?? '';
  const broken: string[] = [];
  const commits: CommitKind[] = [];
  const seeds: CommitSeed[] = [];
  let pushes = 0;
  const gate = createGateRuns(environment);
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const isOpen = () => github.pullRequests.get(PULL_REQUEST)?.state === 'open';

  async function runPending(): Promise<void> {
    const before = ledgerOf(environment);
    const run = await gate.runPending();
    if (run === undefined) return;
    count(`re-run ended ${run.outputs['outcome']}`);
    broken.push(...(await judgeRerun(environment, run, { before, after: ledgerOf(environment) })));
  }

  async function push({ head, commits: kinds }: Extract<Step, { kind: 'push' }>): Promise<void> {
    if (!isOpen()) return;
    await runPending();
    const headSha = repository.id(head);
    pushes += 1;
    for (const [index, kind] of kinds.entries()) {
      const isLast = index === kinds.length - 1;
      const sha = isLast ? headSha : `${pushes}${index}`.padStart(40, 'a');
      commits.push(kind);
      seeds.push(commitOf(kind, sha, seeds.at(-1)?.sha ?? 'd'.repeat(40)));
    }
    github.edit(PULL_REQUEST, { headSha, author: AUTHOR, commits: [...seeds] });
    const run = await gate.start(FIRST_RUN + pushes, headSha);
    count(`gate ended ${run.outputs['outcome']}`);
  }

  async function ask(step: Comment): Promise<void> {
    const current = gate.current();
    const findingIds = service.scans().find(({ id }) => id === current?.scanId)?.findingIds ?? [];
    if (current === undefined || findingIds.length === 0) return;
    const all = service.scans().flatMap((scan) => scan.findingIds);
    const line = commandLineOf(
      step,
      findingIds,
      all.find((id) => !findingIds.includes(id)),
    );
    const truth = {
      environment,
      who,
      gate: current,
      commits: [...commits],
      roleOf: (person: keyof typeof CAST) => roles[person] ?? 'none',
      isOpen: isOpen(),
      isPending: gate.isPending(),
      findingIds,
    };
    const from = {
      service: service.requests.length,
      reactions: github.reactions.length,
      replies: repliesOf(environment).join(),
    };
    const before = { ledger: ledgerOf(environment), attempt: gate.attempt() };
    const writtenAt = environment.date().getTime();
    const account = accountOf(step.by);
    const mine = faulty(step.fault);
    fault = mine;
    const run = await comment(
      { environment, repository, headSha: current.headSha },
      {
        author: step.by,
        body: line.body,
        type: account === 'bot' ? 'Bot' : 'User',
        action: step.state === 'edited' ? 'edited' : 'created',
        edited: step.state !== 'new',
        runAttempt: step.replayed ? 2 : 1,
        inputs: { 'triage-token': triageToken, who },
        payload: (payload) =>
          account === 'app' && isObject(payload['comment'])
            ? { ...payload, comment: { ...payload['comment'], performed_via_github_app: { id: 1 } } }
            : payload,
      },
    );
    fault = faulty(undefined);
    const asked = {
      ...line,
      comment: step,
      commentId: github.comments.findLast(({ author }) => author === step.by)?.id ?? 0,
      writtenAt,
      run,
      fault: mine,
      from,
      ledger: { before: before.ledger, after: ledgerOf(environment) },
      attempt: { before: before.attempt, after: gate.attempt() },
    };
    broken.push(...(await judgeCommand(truth, asked, count)));
  }

  async function runSweep(): Promise<void> {
    const before = { ledger: ledgerOf(environment), requests: service.requests.length };
    const run = await sweep({ environment }, { 'triage-token': triageToken });
    if (run.outputs['rerun'] !== '0') count('re-run by a sweep');
    const ledgers = { before: before.ledger, after: ledgerOf(environment) };
    broken.push(...judgeSweep(environment, before.requests, ledgers));
  }

  async function play(step: Step): Promise<void> {
    switch (step.kind) {
      case 'push':
        return push(step);
      case 'comment':
        return ask(step);
      case 'access':
        roles['rex'] = step.role;
        return;
      case 'close':
        return github.edit(PULL_REQUEST, { state: 'closed' });
      case 'reopen':
        return isOpen() ? undefined : github.edit(PULL_REQUEST, { state: 'open' });
      case 'sweep':
        return runSweep();
      case 'runner':
        return runPending();
    }
  }

  try {
    for (const [index, step] of steps.entries()) {
      await environment.pause(step.waitMinutes * 60_000);
      const from = broken.length;
      await play(step);
      for (let at = from; at < broken.length; at += 1) broken[at] = `step ${index}: ${broken[at]}`;
    }
    count('minutes', Math.round(environment.now() / 60_000));
  } finally {
    await environment.close();
  }
  return broken;
}
