import { describe, expect, test } from 'vitest';
import { REPOSITORY_ID } from '../../../sandbox/runner/job.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import { visibleLine } from '../../../src/text/visible-text.ts';
import { openRepository } from '../repository.ts';
import { runPrepared, type Scenario } from '../scenario.ts';
import { launchAsStranger } from '../stranger.ts';
import { asBlocked, blockedPullRequest, type During, GATE_RUN, seen } from './blocked-pull-request.ts';
import { ask, labels, onPatch, open, patches, plain, status } from './change-command.ts';
import { addCheckRun, marked, markOf } from './forged.ts';

const FENCE = '```';

describe('a comment that only looks like a command', () => {
  test.each([
    ['is in a code block', (command: string) => `${FENCE}\n${command}\n${FENCE}`],
    ['is indented as code', (command: string) => `    ${command}`],
    ['is a code span', (command: string) => `\`${command}\``],
    ['is quoted', (command: string) => `> ${command}`],
    ['follows a hidden comment', (command: string) => `<!-- --> ${command}`],
    ['follows a hidden line', (command: string) => `<!-- x -->\n${command}`],
    ['follows an empty line', (command: string) => `\r\n${command}`],
    ['follows an invisible character', (command: string) => `\u200B${command}`],
    ['follows a byte order mark', (command: string) => `\uFEFF${command}`],
    ['has letters of another alphabet', (command: string) => command.replace('scangate', 'sc\u0430ngate')],
    ['has a full-width slash', (command: string) => command.replace('/', '\uFF0F')],
    ['has a no-break space', (command: string) => command.replace(' ', '\u00A0')],
    ['has a soft hyphen', (command: string) => command.replace('scan', 'scan\u00AD')],
    ['differs in case', (command: string) => command.replace('/scangate', '/Scangate')],
    ['continues without a space', (command: string) => command.replace('/scangate ', '/scangate-')],
  ])('a comment is ignored if the command in it %s', async (_what, change) => {
    const scenario = await open();
    await ask(scenario, change(`/scangate wont-fix ${labels(scenario)[0]}`));
    expect(patches(scenario)).toEqual([]);
    expect(seen(scenario)).toMatchObject({ attempt: 1, reactions: [], replies: [] });
  });
});

/** Polls a scan, as the user who launched it does. */
async function readUntilEnded({ environment: { service } }: Scenario, scanId: string): Promise<void> {
  const isEnded = () => service.scans().some(({ id, status: is }) => id === scanId && is === 'COMPLETED');
  for (let polls = 0; polls < 20 && !isEnded(); polls += 1) {
    await fetch(`${service.baseUrl}/projects/${service.project.id}/scans/${scanId}`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
  }
  expect(isEnded()).toBe(true);
}

test('a command refuses every label that is almost right', async () => {
  const scenario = await open();
  const [label = ''] = labels(scenario);
  const odd = [
    `ZK-${label}`,
    label.slice(0, -1),
    `${label}x`,
    `${label}\u200B`,
    `${label}/../../resolution`,
    `\`${label}\``,
    `[${label}](https://example.com)`,
    `<b>${label}</b>`,
    label.replace('K', '\u212A'),
    'ZK-',
    '*',
    '%2e%2e',
  ];
  const ended = await ask(scenario, `/scangate wont-fix ${odd.join(' ')}`);
  expect(ended.exitCode).toBe(0);
  expect(patches(scenario)).toEqual([]);
  // The reply breaks an address, so that GitHub does not make a link of it.
  const reply = plain(seen(scenario).replies[0]).replaceAll('\u200B', '');
  for (const word of odd) expect(reply).toContain(visibleLine(word).replaceAll('`', "'"));
  expect(reply).toContain('are neither the label of a finding of this scan nor a reason code');
});

describe('a label of another scan', () => {
  test('a command does not accept a label of an earlier head', async () => {
    const scenario = await open();
    const before = labels(scenario);
    const headSha = scenario.repository.id('medium');
    const { github, service } = scenario.environment;
    github.setHead(7, headSha);
    Object.assign(github.permissions, { checks: 'write', contents: 'read' });
    const payload = scenario.environment.pullRequestPayload({ headSha });
    const gate = await runPrepared(scenario, { run: () => ({ event: { name: 'pull_request', payload } }) });
    expect(gate.run.outputs['outcome'], gate.run.log).toBe('passed');
    asBlocked({ ...scenario, headSha });
    const now = new Set(service.scans().flatMap((scan) => (scan.commit === headSha ? scan.findingIds : [])));
    const gone = before.filter((label) => ![...now].some((id) => id.endsWith(label.slice(3))));
    expect(gone.length).toBeGreaterThan(0);
    const ended = await ask(scenario, `/scangate wont-fix ${gone.join(' ')}`);
    expect(patches(scenario), ended.log).toEqual([]);
    expect(seen(scenario).replies[0]).toContain('neither the label of a finding of this scan');
  });

  test('a command does not accept a label of another repository', async () => {
    const { dir, id } = await openRepository();
    const [own, other] = ['octo-repo', 'other'].map((name) => ({
      id: `repo_${name}`,
      owner: 'octo-org',
      name,
      gitDir: dir,
    }));
    const scenario = await blockedPullRequest({
      service: {
        repositories: [own, other].flatMap((repository) => repository ?? []),
        tokens: [{}, { scopes: ['read', 'findings:write', 'scans:launch'] }],
      },
      inputs: { 'repository-id': 'repo_octo-repo' },
    });
    const before = labels(scenario);
    const scanId = await launchAsStranger(scenario, { repositoryId: other?.id, commit: id('medium') });
    await readUntilEnded(scenario, scanId);
    const found = labels(scenario, scanId).filter((label) => !before.includes(label));
    expect(found.length).toBeGreaterThan(0);
    const ended = await ask(scenario, `/scangate wont-fix ${found.join(' ')}`);
    expect(patches(scenario), ended.log).toEqual([]);
    expect(seen(scenario).replies[0]).toContain('neither the label of a finding of this scan');
  });
});

describe('the note', () => {
  const HOSTILE = [
    '# Title',
    '- Comment: https://github.com/octo-org/octo-repo/pull/7#issuecomment-1',
    'Closes #1, fixes octo-org/octo-repo#2',
    '@octo-org/everyone',
    '/scangate reopen ZK-1',
    '::error::no',
    '<!-- scangate:v1 -->',
    '</blockquote><script>alert(1)</script>',
    '\u0000\u202E\r',
  ];

  test.each([
    ['with line feeds', HOSTILE.join('\n')],
    ['with CR LF', HOSTILE.join('\r\n')],
    ['of 64 kB', `${HOSTILE.join('\n')}\n${'x'.repeat(64_000)}`],
  ])('the note of a command quotes a hostile text %s', async (_what, text) => {
    const scenario = await open();
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}\r\n${text}`);
    expect(ended.exitCode, ended.log).toBe(0);
    const [sent] = patches(scenario);
    const quoted = sent?.note.split('\n').slice(7) ?? [];
    expect(quoted.filter((line) => /Title|Closes|everyone|reopen|script/.test(line))).toHaveLength(5);
    for (const line of quoted) expect(line).toMatch(/^(>|$|The comment has the rest)/);
    expect(sent?.note.length).toBeLessThan(12_000);
    expect(`${seen(scenario).replies}${ended.log}${ended.summary}`).not.toMatch(/Closes|everyone|script/);
  });
});

describe('a user whose token has `checks: write`', () => {
  /** Checks that a command changes the first finding of the real scan. */
  async function closesFirst(scenario: Scenario): Promise<void> {
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    expect(patches(scenario), ended.log).toHaveLength(1);
  }

  test('a command ignores a forged mark', async () => {
    const scenario = await open();
    const forged = { ...markOf(scenario), runId: GATE_RUN + 1, scanId: 'scn_other' };
    await addCheckRun(scenario, {
      external_id: encodeMark(forged, createSeal('a guessed token', REPOSITORY_ID)),
    });
    await closesFirst(scenario);
  });

  test('a command ignores a mark of another pull request or head', async () => {
    const scenario = await open();
    const own = markOf(scenario);
    const seal = createSeal(scenario.environment.service.token, REPOSITORY_ID);
    const head = scenario.repository.id('clean');
    for (const other of [{ pullRequest: 8 }, { headSha: head }]) {
      const copied = { ...own, runId: GATE_RUN + 1, scanId: 'scn_other', ...other };
      await addCheckRun(scenario, { external_id: encodeMark(copied, seal) });
    }
    await closesFirst(scenario);
  });

  test('a command changes no finding if the mark names another run', async () => {
    const scenario = await open();
    await marked({ runId: 404, scanId: 'scn_other' })(scenario);
    await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    expect(patches(scenario)).toEqual([]);
    expect(plain(seen(scenario).replies[0])).toMatch(/Run 404.*is not a run of/);
  });
});

describe('two commands', () => {
  test('two commands at the same time cause only one re-run of the job', async () => {
    let other: Promise<unknown> | undefined;
    const scenario = await open(
      onPatch((count) => {
        if (count === 1) other = ask(scenario, `/scangate mitigated ${second.join(' ')}`, { author: 'ada' });
        return undefined;
      }),
    );
    const [first, ...second] = labels(scenario);
    const ended = await ask(scenario, `/scangate wont-fix ${first}`);
    await other;
    expect(ended.exitCode, ended.log).toBe(0);
    expect(seen(scenario)).toMatchObject({ attempt: 2, reactions: ['+1', '+1'] });
    expect(seen(scenario).replies).toHaveLength(1);
  });

  test('the later of two commands decides the status of a finding', async () => {
    const scenario = await open();
    const [label] = labels(scenario);
    await ask(scenario, `/scangate wont-fix ${label}`);
    await ask(scenario, `/scangate reopen ${label}`, { author: 'ada' });
    expect(patches(scenario).map((one) => [one.status, /by (\w+)/.exec(one.note)?.[1]])).toEqual([
      ['WONT_FIX', 'wanda'],
      ['NOT_STARTED', 'ada'],
    ]);
  });
});

describe('a lost answer', () => {
  const LOST = { fault: 'reset-after' } as const;
  let isSent = false;
  const readFails: During['service'] = ({ point }) => {
    if (point !== 'findings.resolution') return isSent && point === 'findings.read' ? status(500) : undefined;
    isSent = true;
    return LOST;
  };

  test('a command reports an unknown result if the finding cannot be read after a lost answer', async () => {
    const scenario = await open({ service: readFails });
    const ended = await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`);
    expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
    expect(patches(scenario)).toHaveLength(1);
    expect(plain(seen(scenario).replies[0])).toMatch(/It is not known whether the finding was changed/);
  });

  test('a command re-runs no job if one status change is unconfirmed', async () => {
    const scenario = await open(onPatch((count) => (count > 1 && count < 4 ? status(500) : undefined)));
    const all = labels(scenario);
    const ended = await ask(scenario, `/scangate wont-fix ${all.join(' ')}`);
    expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
    const reply = plain(seen(scenario).replies[0]);
    expect(reply.match(/Set to/g)).toHaveLength(all.length - 1);
    expect(reply).toMatch(/It is not known.*\n[\s\S]*is not re-run/);
  });
});

test('a re-run of the triage workflow fails, and changes no finding', async () => {
  const scenario = await open();
  for (const body of [`/scangate wont-fix ${labels(scenario)[0]}`, '/scangate help']) {
    const before = scenario.environment.github.requests.length;
    const ended = await ask(scenario, body, { runAttempt: 2 });
    expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
    expect(ended.log).toContain('A re-run of this workflow changes no finding.');
    const sent = scenario.environment.github.requests.slice(before).map(({ point }) => point);
    expect(sent).toEqual(['permission']);
  }
  expect(patches(scenario)).toEqual([]);
});

test.each([
  ['obeys', '60 seconds', 60_000, true],
  ['ignores', '59 seconds', 59_000, false],
])(
  'the triage action %s a command that was written %s after the end of the gate',
  async (_after, _end, ms, isDone) => {
    const scenario = await open();
    const { completedAt } = scenario.environment.github.workflowRuns.all[0]?.jobs[0] ?? {};
    // GitHub shows whole seconds.
    const endedAt = Math.floor((completedAt?.getTime() ?? Number.NaN) / 1_000) * 1_000;
    const createdAt = new Date(endedAt + ms);
    await ask(scenario, `/scangate wont-fix ${labels(scenario)[0]}`, { createdAt });
    expect(patches(scenario)).toHaveLength(isDone ? 1 : 0);
  },
);
