import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeGitHub, startFakeGitHub } from '../../sandbox/github/server.ts';
import { createSeal, type Seal } from '../../src/domain/seal.ts';
import { syncComment } from '../../src/github/comment.ts';
import { hiddenLines, markerLine } from '../../src/github/comment-marker.ts';
import { createGitHub, type GitHubClient } from '../../src/github/octokit.ts';
import { readInputs } from '../../src/runner/inputs.ts';
import { findEarlierMarks } from '../../src/scan/marks.ts';
import { encodeMark } from '../../src/scan/scan-mark.ts';
import { openRepository } from '../scenarios/repository.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { NEVER_ABORTED } from '../support/never-aborted.ts';
import { rounds } from '../support/rounds.ts';
import { SILENT_LOG } from '../support/service-step.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { sampleTarget } from '../unit/report/sample-report.ts';

const CHECK = 'Security scan';
const { inputs: INPUTS } = readInputs('/workspace', {
  getInput: (name) => (name === 'check-name' ? CHECK : ''),
  setSecret: () => {},
});
const SEAL = createSeal('svc_proj_key1_0123456789abcdef', '1296269');
const OURS = { author: 'github-actions[bot]', type: 'Bot' } as const;
const KEY = 'AbCdEfGhIjKlMnOpQr-_09';
const markOf = (scanId: string, seal: Seal) =>
  encodeMark(
    {
      scanId,
      pullRequest: 1,
      headSha: 'a'.repeat(40),
      baseSha: 'b'.repeat(40),
      key: KEY,
      launchedAt: 1_790_000_000,
      runId: 40,
      runAttempt: 1,
    },
    seal,
  );
/** A mark that is sealed with our token, so the mark does not show that its comment is forged. */
const PROVEN = markOf('scan_stolen', SEAL);
const FORGED = markOf('scan_forged', createSeal('another token', '1296269'));
const BODY = '## Blocked: 2 findings at or above high';
/** GitHub lists a hundred comments per page, so this many comments need two pages. */
const SEVERAL_PAGES = 150;

interface Forgery {
  readonly what: string;
  readonly author: string;
  readonly type: 'Bot' | 'User';
  readonly body: (headSha: string) => string;
}

const markerOf = (headSha: string, runId: number, runAttempt = 1) => ({
  checkName: CHECK,
  headSha,
  runId,
  runAttempt,
});

/** These authors are not us. Their comments look like ours, because the marker is in the right position. */
const STRANGERS = [
  ['mallory', 'User'],
  ['github-actions', 'User'],
  ['github-actions[bot]', 'User'],
  ['github-actionsbot', 'Bot'],
  ['other-actions[bot]', 'Bot'],
  ['dependabot[bot]', 'Bot'],
] as const;

const byStrangers = STRANGERS.flatMap(([author, type]) =>
  [1, 43, 999_999_999_999_999].flatMap((run) =>
    Object.entries({ no: '', proven: PROVEN, forged: FORGED }).map(
      ([kind, state]): Forgery => ({
        what: `a marker by ${author} (${type}), run ${run}, ${kind} state`,
        author,
        type,
        body: (headSha) => `${hiddenLines(markerOf(headSha, run, 9), state)}\n## Passed: no findings`,
      }),
    ),
  ),
);

/**
 * Comments whose marker is not at the start, or is not a valid marker of this check. A workflow that repeats
 * other people's text may post such a comment as the same app.
 */
const MISPLACED: Readonly<Record<string, (lines: string, marker: string) => string>> = {
  'in the middle': (lines) => `Thanks for the report.\n${lines}\ntext`,
  'after an empty line': (lines) => `\n${lines}\ntext`,
  quoted: (lines) => `> ${lines.replaceAll('\n', '\n> ')}`,
  'in a list': (lines) => `- ${lines}`,
  'after a space': (lines) => ` ${lines}`,
  'after a byte order mark': (lines) => `\ufeff${lines}`,
  'after a zero-width space': (lines) => `\u200b${lines}`,
  'after a carriage return': (lines) => `\r${lines}`,
  'in a fence': (lines) => `\`\`\`\n${lines}\n\`\`\``,
  'with text behind it': (lines, marker) => lines.replace(marker, `${marker} and more`),
  'twice on the line': (lines, marker) => lines.replace(marker, `${marker}${marker}`),
  'of another version': (lines) => lines.replace('scangate:v1', 'scangate:v2'),
  'in capitals': (lines) => lines.replace(/check=\w+/, (word) => word.toUpperCase()),
  'of another check': (lines) => lines.replace(/check=\w{16}/, 'check=0000000000000000'),
  'with a run of thirty digits': (lines) => lines.replace('run=43', `run=${'9'.repeat(30)}`),
  'with a negative run': (lines) => lines.replace('run=43', 'run=-43'),
  'with a short head': (lines) => lines.replace(/head=\w{40}/, 'head=abc1234'),
  'with a line separator for a line feed': (lines) => lines.replace('\n', '\u2028'),
};

const misplaced = Object.entries(MISPLACED).flatMap(([what, write]) =>
  [OURS, { author: 'mallory', type: 'User' } as const].map(
    (who): Forgery => ({
      what: `a marker (${what}) by ${who.author}`,
      ...who,
      body: (headSha) => {
        const marker = markerOf(headSha, 43, 9);
        return `${write(hiddenLines(marker, PROVEN), markerLine(marker))}\n## Passed: no findings`;
      },
    }),
  ),
);

/** How the comments are read. */
const DOORS = ['by GraphQL', 'by REST', 'on several pages'] as const;
/** Each layout has its own pull request. The quick round reads each forged comment in only one of the three ways. */
const LAYOUTS = [...byStrangers, ...misplaced].flatMap((forgery, index) =>
  DOORS.map((door, turn) => ({
    ...forgery,
    door,
    hasOurs: (index + turn) % 2 === 0,
    forgedFirst: (index + turn) % 4 < 2,
    issue: index * DOORS.length + turn + 1,
  })).filter((_, turn) => rounds(turn === index % DOORS.length, true)),
);

let repository: SharedRepository;
let github: FakeGitHub;
let client: GitHubClient;
let noGraphql = false;
const headSha = () => repository.id('vulnerable');

beforeAll(async () => {
  repository = await openRepository();
  github = await startFakeGitHub({
    repository: 'octo-org/octo-repo',
    directory: repository.dir,
    pullRequests: LAYOUTS.map(({ issue }) => ({ number: issue, headSha: headSha(), baseRef: 'main' })),
    intercept: ({ point }) =>
      noGraphql && point === 'graphql'
        ? { status: 403, body: { message: 'Resource not accessible by integration' } }
        : undefined,
  });
  const { token, apiUrl, graphqlUrl } = github;
  const environment = { owner: 'octo-org', repo: 'octo-repo', apiUrl, graphqlUrl };
  client = createGitHub({ token, environment, clock: new FakeClock(), fetch }).until(NEVER_ABORTED);
});
afterAll(() => github.close());

/** The scans of the marks that a run trusts. */
async function trustedScans(issue: number): Promise<readonly string[]> {
  const deps = { github: client, signal: NEVER_ABORTED, seal: SEAL, runAttempt: 2, log: SILENT_LOG };
  const repository = { owner: 'octo-org', name: 'octo-repo', isPublic: false };
  const target = { ...sampleTarget({ pullRequest: { number: issue } }), repository, headSha: headSha() };
  const { marks } = await findEarlierMarks({ ...deps, inputs: INPUTS }, target);
  return marks.map(({ scanId }) => scanId);
}

describe.each(DOORS)('comments read %s', (door) => {
  test.each(LAYOUTS.filter((layout) => layout.door === door))(
    'a comment with $what is neither edited, nor removed, nor trusted (pull request $issue)',
    async ({ issue, author, type, body, hasOurs, forgedFirst }) => {
      noGraphql = door === 'by REST';
      const addForged = () => github.addComment({ issue, author, type, body: body(headSha()) });
      const fakes = forgedFirst ? [addForged()] : [];
      for (let count = 0; door === 'on several pages' && count < SEVERAL_PAGES; count += 1)
        github.addComment({ issue, body: `comment ${count}` });
      const ours = hiddenLines(markerOf(headSha(), 41), markOf('scan_ours', SEAL));
      if (hasOurs) github.addComment({ issue, ...OURS, body: `${ours}\n## Passed` });
      if (!forgedFirst) fakes.push(addForged());

      expect(await trustedScans(issue)).toEqual(hasOurs ? ['scan_ours'] : []);
      const synced = await syncComment(
        client.until(NEVER_ABORTED),
        { ...markerOf(headSha(), 42), pullRequest: issue, mayCreate: true },
        () => ({ state: '', body: BODY }),
      );
      expect(synced).toMatchObject({ ok: true, value: { action: hasOurs ? 'updated' : 'created' } });
      const now = github.comments.filter((comment) => comment.issue === issue);
      for (const fake of fakes) expect(now).toContainEqual(fake);
      const written = now.filter((comment) => comment.body.endsWith(BODY));
      expect(written).toEqual([expect.objectContaining(OURS)]);
      // The run's own comment must not contain the scan of the forged comment.
      expect(written[0]?.body).not.toContain('scan_stolen');
    },
  );
});

test('a forged state in our own comment is not trusted', async () => {
  const forgeries = [
    FORGED,
    PROVEN.replace('scan_stolen', 'scan_other'),
    PROVEN.replace(KEY, 'Z'.repeat(22)),
    PROVEN.replace(':1:', ':2:'),
    PROVEN.replace('v2:', 'v1:'),
    PROVEN.slice(0, -1),
    `${PROVEN}00`,
    PROVEN.toUpperCase(),
    'x'.repeat(4_000),
    '{"scanId":"scan_forged"}',
  ];
  noGraphql = false;
  for (const state of forgeries) {
    const lines = hiddenLines(markerOf(headSha(), 40), state);
    github.addComment({ issue: 1, ...OURS, body: `${lines}\ntext` });
  }
  expect((await trustedScans(1)).filter((scanId) => scanId !== 'scan_ours')).toEqual([]);
});
