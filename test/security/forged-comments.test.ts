import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeGitHub, startFakeGitHub } from '../../sandbox/github/server.ts';
import { createSeal } from '../../src/domain/seal.ts';
import type { ScanTarget } from '../../src/domain/target.ts';
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

const CHECK = 'Security scan';
const { inputs: INPUTS } = readInputs('/workspace', {
  getInput: (name) => (name === 'check-name' ? CHECK : ''),
  setSecret: () => {},
});
const API_TOKEN = 'svc_proj_key1_0123456789abcdef';
const OURS = { author: 'github-actions[bot]', type: 'Bot' } as const;
const KEY = 'AbCdEfGhIjKlMnOpQr-_09';
const markOf = (scanId: string, apiToken: string) => {
  const [head, base] = ['a'.repeat(40), 'b'.repeat(40)];
  const fields = {
    pullRequest: 1,
    headSha: head,
    baseSha: base,
    key: KEY,
    launchedAt: 1_790_000_000,
    runId: 40,
    runAttempt: 1,
  };
  return encodeMark({ ...fields, scanId }, createSeal(apiToken, '1296269'));
};
/** A mark that is sealed with our token, so the mark does not show that its comment is forged. */
const PROVEN = markOf('scan_stolen', API_TOKEN);
const BODY = '## Blocked: 2 findings at or above high';
/** GitHub lists a hundred comments per page, so this many comments need two pages. */
const SEVERAL_PAGES = 150;

interface Forged {
  readonly what: string;
  readonly author: string;
  readonly type: 'Bot' | 'User';
  readonly body: (headSha: string) => string;
}

/** These authors are not us. Their comments look like ours, because the marker is in the right position. */
const STRANGERS = [
  ['mallory', 'User'],
  ['github-actions', 'User'],
  ['github-actions[bot]', 'User'],
  ['github-actionsbot', 'Bot'],
  ['other-actions[bot]', 'Bot'],
  ['dependabot[bot]', 'Bot'],
] as const;
const RUNS = ['1', '43', '999999999999999'] as const;
const FORGED = markOf('scan_forged', 'another token');
const STATES = ['', PROVEN, FORGED] as const;

const byStrangers: readonly Forged[] = STRANGERS.flatMap(([author, type]) =>
  RUNS.flatMap((run) =>
    STATES.map(
      (state, index): Forged => ({
        what: `a marker by ${author} (${type}), run ${run}, state ${index}`,
        author,
        type,
        body: (headSha) => {
          const marker = { checkName: CHECK, headSha, runId: Number(run), runAttempt: 9 };
          return `${hiddenLines(marker, state)}\n## Passed: no findings`;
        },
      }),
    ),
  ),
);

/**
 * Comments whose marker is not at the start, or is not a valid marker of this check. A workflow that repeats
 * other people's text may post such a comment as the same app.
 */
const MISPLACED: readonly (readonly [what: string, write: (lines: string, marker: string) => string])[] = [
  ['in the middle', (lines) => `Thanks for the report.\n${lines}\ntext`],
  ['after an empty line', (lines) => `\n${lines}\ntext`],
  ['quoted', (lines) => `> ${lines.replaceAll('\n', '\n> ')}`],
  ['in a list', (lines) => `- ${lines}`],
  ['after a space', (lines) => ` ${lines}`],
  ['after a byte order mark', (lines) => `\ufeff${lines}`],
  ['after a zero-width space', (lines) => `\u200b${lines}`],
  ['after a carriage return', (lines) => `\r${lines}`],
  ['in a fence', (lines) => `\`\`\`\n${lines}\n\`\`\``],
  ['with text behind it', (lines, marker) => lines.replace(marker, `${marker} and more`)],
  ['twice on the line', (lines, marker) => lines.replace(marker, `${marker}${marker}`)],
  ['of another version', (lines) => lines.replace('scangate:v1', 'scangate:v2')],
  ['in capitals', (lines) => lines.replace(/check=\w+/, (word) => word.toUpperCase())],
  ['of another check', (lines) => lines.replace(/check=\w{16}/, 'check=0000000000000000')],
  ['with a run of thirty digits', (lines) => lines.replace('run=43', `run=${'9'.repeat(30)}`)],
  ['with a negative run', (lines) => lines.replace('run=43', 'run=-43')],
  ['with a short head', (lines) => lines.replace(/head=\w{40}/, 'head=abc1234')],
  ['with a line separator for a line feed', (lines) => lines.replace('\n', '\u2028')],
];

const byOurs: readonly Forged[] = MISPLACED.flatMap(([what, write]) =>
  [OURS, { author: 'mallory', type: 'User' } as const].map(
    (who): Forged => ({
      what: `a marker (${what}) by ${who.author}`,
      ...who,
      body: (headSha) => {
        const marker = { checkName: CHECK, headSha, runId: 43, runAttempt: 9 };
        return `${write(hiddenLines(marker, PROVEN), markerLine(marker))}\n## Passed: no findings`;
      },
    }),
  ),
);

/** How the comments are read. */
const DOORS = ['by GraphQL', 'by REST', 'on several pages'] as const;
const ALL_LAYOUTS = [...byStrangers, ...byOurs].flatMap((forged, index) =>
  DOORS.map((door, turn) => ({
    forged,
    door,
    hasOurs: (index + turn) % 2 === 0,
    forgedFirst: (index + turn) % 4 < 2,
    /** Each layout has its own pull request. */
    issue: index * DOORS.length + turn + 1,
    /**
     * True if the quick round tests this layout. The quick round reads each forged comment in only one of the three
     * ways. `SCANGATE_ROUNDS=full` tests all layouts.
     */
    isQuick: turn === index % DOORS.length,
  })),
);
const LAYOUTS = ALL_LAYOUTS.filter(({ isQuick }) => rounds(isQuick, true));

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
  client = createGitHub({
    token: github.token,
    environment: {
      owner: 'octo-org',
      repo: 'octo-repo',
      apiUrl: github.apiUrl,
      graphqlUrl: github.graphqlUrl,
    },
    clock: new FakeClock(),
    fetch,
  }).until(NEVER_ABORTED);
});
afterAll(() => github.close());

function targetOf(number: number): ScanTarget {
  return {
    event: 'pull_request',
    repository: { owner: 'octo-org', name: 'octo-repo', isPublic: false },
    headSha: headSha(),
    base: { kind: 'branch', name: 'main', tip: undefined },
    secretsWithheld: false,
    pullRequest: {
      number,
      state: 'open',
      updatedAt: undefined,
      author: 'mallory',
      isFork: true,
      brings: 'base',
      previousHead: undefined,
    },
  };
}

test('the quick round of layouts contains every forged comment', () => {
  expect(ALL_LAYOUTS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(LAYOUTS.map(({ forged }) => forged))).toEqual(
    new Set(ALL_LAYOUTS.map(({ forged }) => forged)),
  );
});

describe.each(DOORS)('comments read %s', (door) => {
  test.each(
    LAYOUTS.filter((layout) => layout.door === door).map(
      (layout) => [layout.forged.what, layout.issue, layout] as const,
    ),
  )(
    'a comment with %s is neither edited, nor removed, nor trusted (pull request %i)',
    async (_what, issue, { forged, hasOurs, forgedFirst }) => {
      noGraphql = door === 'by REST';
      const our = { checkName: CHECK, headSha: headSha(), runId: 41, runAttempt: 1 };
      const ourMark = markOf('scan_ours', API_TOKEN);
      const addForged = () =>
        github.addComment({ issue, author: forged.author, type: forged.type, body: forged.body(headSha()) });
      const fakes = forgedFirst ? [addForged()] : [];
      for (let count = 0; door === 'on several pages' && count < SEVERAL_PAGES; count += 1)
        github.addComment({ issue, body: `comment ${count}` });
      if (hasOurs) github.addComment({ issue, ...OURS, body: `${hiddenLines(our, ourMark)}\n## Passed` });
      if (!forgedFirst) fakes.push(addForged());

      const deps = {
        github: client,
        signal: NEVER_ABORTED,
        seal: createSeal(API_TOKEN, '1296269'),
        runAttempt: 2,
        log: SILENT_LOG,
        inputs: INPUTS,
      };
      const { marks } = await findEarlierMarks(deps, targetOf(issue));
      expect(
        marks.map(({ scanId }) => scanId),
        forged.what,
      ).toEqual(hasOurs ? ['scan_ours'] : []);

      const synced = await syncComment(
        client.until(NEVER_ABORTED),
        {
          pullRequest: issue,
          headSha: headSha(),
          checkName: CHECK,
          runId: 42,
          runAttempt: 1,
          mayCreate: true,
        },
        () => ({ state: '', body: BODY }),
      );
      expect(synced, forged.what).toMatchObject({
        ok: true,
        value: { action: hasOurs ? 'updated' : 'created' },
      });
      const now = github.comments.filter((comment) => comment.issue === issue);
      for (const fake of fakes) expect(now, forged.what).toContainEqual(fake);
      const written = now.filter(({ body }) => body.endsWith(BODY));
      expect(written, forged.what).toHaveLength(1);
      expect(written[0], forged.what).toMatchObject(OURS);
      // The run's own comment must not contain the scan of the forged comment.
      expect(written[0]?.body.includes('scan_stolen')).toBe(false);
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
    const issue = 1;
    const marker = { checkName: CHECK, headSha: headSha(), runId: 40, runAttempt: 1 };
    github.addComment({ issue, ...OURS, body: `${hiddenLines(marker, state)}\ntext` });
  }
  const { marks } = await findEarlierMarks(
    {
      github: client,
      signal: NEVER_ABORTED,
      inputs: INPUTS,
      seal: createSeal(API_TOKEN, '1296269'),
      runAttempt: 2,
      log: SILENT_LOG,
    },
    targetOf(1),
  );
  expect(marks.filter(({ scanId }) => scanId !== 'scan_ours')).toEqual([]);
});
