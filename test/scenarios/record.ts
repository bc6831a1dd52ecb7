import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { allNodes, parseGfm } from '../unit/report/gfm.ts';
import type { OtherJobs } from './other-jobs.ts';
import type { ScenarioResult } from './scenario.ts';

/**
 * A short record of a run: how it ends, what it costs, what it leaves on GitHub, and the sentences that people read. It
 * is the same by either driver, so it has no ids, ports and times.
 */
export function recordOf(result: ScenarioResult, jobs?: OtherJobs): string {
  const lines = [
    endOf(result),
    costOf(result, jobs),
    countsOf(result),
    placesOf(result.environment, result.run),
  ];
  return [...lines, ...messagesOf(result)].filter((line) => line !== '').join('\n');
}

/** Runs the post step of a run. @returns what it does, what it leaves, and its log */
export async function recordOfPost(
  result: ScenarioResult,
  inputs: Readonly<Record<string, string>>,
): Promise<string> {
  const { environment, run } = result;
  const { service, github } = environment;
  const before = service.requests.length + github.requests.length;
  const post = await environment.run({ step: 'post', state: run.state, inputs });
  const isQuiet = service.requests.length + github.requests.length === before;
  return [
    `post: exit ${post.signal ?? post.exitCode}${isQuiet ? ', sends no request' : ''}`,
    ...(isQuiet ? [] : [`leaves ${[...scansOf(environment), placesOf(environment)].join(', ')}`]),
    ...(post.log === '' ? [] : [stable(post.log.trim(), result)]),
  ].join('\n');
}

function endOf({ run: { outputs, exitCode, signal } }: ScenarioResult): string {
  const end = [outputs['outcome'], outputs['reason']].filter(Boolean).join(' ') || 'lost';
  return `${end}, exit ${signal ?? exitCode}`;
}

/** The launches, the scans, and what the run leaves to the post step. */
function costOf({ run: { outputs, state }, environment }: ScenarioResult, jobs?: OtherJobs): string {
  const { service } = environment;
  if (service.requests.length === 0) return 'asks the service nothing';
  const sent = service.requests.filter(({ point }) => point === 'scans.launch').length;
  const use = outputs['scan-reused'] === 'true' ? 'reused' : 'used';
  return [
    `launches ${jobs?.count('scans.launch') ?? sent}`,
    ...scansOf(environment, outputs['scan-id'], use),
    ...Object.entries(state)
      .toSorted()
      .flatMap(([name, value]) => (value === '' ? [] : [`leaves ${name} for post`])),
  ].join(', ');
}

/** The scans, the oldest first, and the credits that are still reserved. */
function scansOf({ service }: ScenarioResult['environment'], used = '', use = ''): readonly string[] {
  const { reserved } = service.ledger();
  const scans = service.scans().toReversed();
  return [
    ...scans.map(({ id, status }, index) => {
      const name = id.startsWith('scan_') ? `scan ${index + 1}` : id;
      return `${name} ${status}${id === used ? ` (${use})` : ''}`;
    }),
    ...(reserved === 0 ? [] : [`${reserved} credits reserved`]),
  ];
}

function countsOf({ run: { outputs } }: ScenarioResult): string {
  const [total, reported, blocking] = ['total', 'reported', 'blocking'].map(
    (name) => outputs[`findings-${name}`],
  );
  if (total === undefined || total === '') return '';
  const counts: Readonly<Record<string, number>> = JSON.parse(outputs['severity-counts'] ?? '');
  const each = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  return `findings: ${[...each, `${total} in all`].join(', ')}, ${reported} reported, ${blocking} blocking`;
}

/** The check runs and the comments, then what the run adds to them. */
function placesOf({ github }: ScenarioResult['environment'], run?: ActionRun): string {
  const logged = run?.annotations.filter(({ file }) => file !== undefined).length ?? 0;
  const comments = github.comments.length;
  const given = (output: string, what: string) => ((run?.outputs[output] ?? '') === '' ? [] : [what]);
  return (
    [
      ...github.checkRuns.map((one) => {
        const count = one.annotations.length;
        return `check run ${one.conclusion ?? one.status}${count === 0 ? '' : ` (annotates ${count})`}`;
      }),
      ...(comments === 0 ? [] : [comments === 1 ? 'comment' : `${comments} comments`]),
      ...(logged === 0 ? [] : [`log (annotates ${logged})`]),
      ...given('report-file', 'JSON report'),
      ...given('sarif-file', 'SARIF file'),
      ...given('public-url', 'page'),
      ...given('public-password', 'password'),
    ].join(', ') || 'nothing on GitHub'
  );
}

/** The verdict, warnings and notices in the log. Then the sentences of the verdict that another place does not show. */
function messagesOf(result: ScenarioResult): string[] {
  const { run, environment } = result;
  const verdict = verdictOf(run.log);
  const said = verdict
    .split(/(?<=[.!?]) |\n- |\n/)
    .filter((sentence) => sentence !== '' && !sentence.includes('http'));
  const { github } = environment;
  const checkRun = github.checkRuns.find(({ htmlUrl }) => htmlUrl === run.outputs['check-run-url'])?.output;
  const comment = github.comments.find(({ htmlUrl }) => htmlUrl === run.outputs['comment-url'])?.body;
  const places = {
    'job summary': run.summary,
    'check run': checkRun && `${checkRun.title}\n\n${checkRun.summary}\n\n${checkRun.text}`,
    comment,
  };
  const missing = Object.entries(places).flatMap(([place, markdown]) => {
    if (markdown === undefined) return [];
    const gone = missingIn(markdown, said.map(plain));
    return gone.length === 0 ? [] : [`the ${place} does not say: ${gone.join(' ')}`];
  });
  const ofLines = run.annotations.filter(({ file }) => file !== undefined).map(({ message }) => message);
  const issues = run.log
    .split('\n')
    .flatMap((line) => /^##\[((?:warning|notice)\].*)$/.exec(line)?.slice(1) ?? [])
    .filter((issue) => !ofLines.some((message) => message.startsWith(issue.replace(/^\w+\]/, ''))));
  return [verdict, ...issues.map((issue) => issue.replace(']', ': ')), ...missing].map((text) =>
    stable(text, result),
  );
}

/** The sentences that a reader of the Markdown does not see. */
function missingIn(markdown: string, sentences: readonly string[]): readonly string[] {
  const without = (text: string, all: readonly string[]) =>
    all.filter((sentence) => !text.includes(sentence.replace(/\.$/, '')));
  // Most sentences are in the source as they are. It takes long to parse the Markdown, so only the others need that.
  const shown = markdown.replaceAll(/<!--.*?-->/gs, '');
  const others = without(plain(shown), sentences);
  return others.length === 0 ? [] : without(readable(markdown), others);
}

/** The text of the Markdown that a reader sees. */
function readable(markdown: string): string {
  const text = allNodes(parseGfm(markdown)).map((node) =>
    node.type === 'text' || node.type === 'inlineCode' || node.type === 'code'
      ? node.value
      : node.type === 'paragraph' || node.type === 'heading'
        ? '\n'
        : '',
  );
  return plain(text.join(''));
}

/** Removes backticks, and the invisible characters that keep GitHub from linking. */
function plain(text: string): string {
  return text.replaceAll(/[`\u200b]/g, '');
}

/** The error of the job. Without an error, the line of the log that has the verdict. */
function verdictOf(log: string): string {
  const errors = log.split('##[error]').filter((text) => /^(?:Blocked|Not scanned)\b/.test(text));
  const error = errors.at(-1)?.split('\n##[')[0];
  const line = log.match(/^(?:Blocked|Passed|Nothing to scan|Not scanned)\b.*$/m)?.[0] ?? '';
  return error === undefined || line.startsWith('Blocked') ? line : error.trim();
}

/** Replaces what differs from run to run. */
export function stable(text: string, { environment, workspace, headSha }: ScenarioResult): string {
  return plain(text)
    .replaceAll(environment.service.origin, 'http://SERVICE')
    .replaceAll(environment.github.origin, 'http://GITHUB')
    .replaceAll(/\b127\.0\.0\.1:\d+/g, '127.0.0.1')
    .replaceAll(workspace, 'WORKSPACE')
    .replaceAll(headSha, 'HEAD')
    .replaceAll(headSha.slice(0, 12), 'HEAD')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/\bscan_[0-9a-f]{20}\b/g, 'SCAN');
}
