/** The state of a request's exchange when the signal comes. */
export type Moment =
  /** The request has arrived. It is not processed, and never answered. */
  | 'unprocessed'
  /** The request is processed, but never answered. */
  | 'unanswered'
  /** The answer is on its way. */
  | 'answered';

/** Says during which request of a run the job is killed, and at which moment of its exchange. */
export interface KillStage {
  readonly name: string;
  readonly side: 'service' | 'github';
  /** The fake server's name for the request. */
  readonly at: string;
  /** Which of the requests with the name `at`, counted from 1. */
  readonly count: number;
  readonly moment: Moment;
  /** Whether the service hides budget, audit areas and guidance of its scans. */
  readonly scopeHidden?: true;
}

export type Killing = 'SIGINT' | 'cancelled' | 'SIGKILL';

/** What follows the killed job: the `post` of its step, a re-run, or a run for a push. */
export type Sequel = 'post' | 'attempt 2' | 'push';

export interface KillCell {
  readonly stage: KillStage;
  readonly killing: Killing;
  readonly sequel: Sequel;
}

/**
 * The stages at which a job is killed. A kill during a read has the same result at each moment of the exchange, so one
 * moment is enough. A kill during a write has a different result at each moment.
 */
const KILL_STAGES: readonly KillStage[] = [
  ...read('token', 'service', 'token'),
  ...read('pull request', 'github', 'graphql'),
  ...read('compare', 'github', 'compare'),
  ...read('earlier check runs', 'github', 'check.list'),
  ...read('repositories', 'service', 'repositories'),
  ...read('scan list', 'service', 'scans.list'),
  ...write('launch', 'service', 'scans.launch'),
  ...write('launch, hidden scope', 'service', 'scans.launch').map(
    (stage): KillStage => ({ ...stage, scopeHidden: true }),
  ),
  ...write('check create', 'github', 'check.create'),
  ...read('first poll', 'service', 'scans.read'),
  { name: 'first poll', side: 'service', at: 'scans.read', count: 1, moment: 'answered' },
  ...read('second poll', 'service', 'scans.read', 2),
  ...read('findings', 'service', 'findings.list'),
  ...read('finding detail', 'service', 'findings.read'),
  ...write('publish', 'service', 'scans.publish'),
  ...read('comments', 'github', 'graphql', 2),
  ...write('comment write', 'github', 'comments.create'),
  ...write('check update', 'github', 'check.update'),
];

/** What can follow each way to end a job. A cancelled job runs `post` if its machine is not lost. */
const WAYS: readonly (readonly [Killing, readonly Sequel[]])[] = [
  ['SIGINT', ['post']],
  ['cancelled', ['post', 'attempt 2', 'push']],
  ['SIGKILL', ['post', 'attempt 2', 'push']],
];

export const KILL_CELLS: readonly KillCell[] = KILL_STAGES.flatMap((stage) =>
  WAYS.flatMap(([killing, sequels]) => sequels.map((sequel) => ({ stage, killing, sequel }))),
);

/** Picks one cell for each stage. The picks alternate between all ways to end the job. */
export function sampleKills(cells: readonly KillCell[]): readonly KillCell[] {
  const byStage = [...Map.groupBy(cells, ({ stage }) => stage).values()];
  return byStage.flatMap((ways, row) => ways.filter((_, column) => column === row % ways.length));
}

function read(name: string, side: KillStage['side'], at: string, count = 1): KillStage[] {
  return [{ name, side, at, count, moment: 'unprocessed' }];
}

function write(name: string, side: KillStage['side'], at: string): KillStage[] {
  const moments: readonly Moment[] = ['unprocessed', 'unanswered', 'answered'];
  return moments.map((moment) => ({ name, side, at, count: 1, moment }));
}
