import { expect, test } from 'vitest';
import { issueCommentEvent } from '../../../sandbox/events.ts';
import { type IssueComment, readIssueComment } from '../../../src/github/comment-list.ts';
import { visibleLine } from '../../../src/text/visible-text.ts';
import { chooseFindings, parseCommand, readCommand } from '../../../src/triage/command.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { sampleFinding } from '../report/sample-report.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `ZK-${index}`).join(' ');

/** What a comment with this text asks for, without the list of the valid reason codes. */
function wantedBy(body: string): string {
  const wanted = parseCommand(body);
  if (wanted?.kind === 'unclear') return wanted.cause;
  if (wanted?.kind !== 'change') return wanted?.kind ?? 'no command';
  const { status, labels, reason, note } = wanted.change;
  return `${status} for ${labels.length > 5 ? `${labels.length} labels` : labels.join(' and ')}, reason ${reason ?? '-'}, note ${JSON.stringify(note)}`;
}

/** The case of each text is the text itself, with visible characters. */
const texts = (...bodies: readonly string[]) =>
  Object.fromEntries(bodies.map((body) => [visibleLine(JSON.stringify(body)), wantedBy(body)]));

const CREATED = new Date('2026-01-15T12:00:00Z');
const COMMENT: IssueComment = {
  action: 'created',
  pullRequest: 7,
  id: 50,
  body: '/scangate recheck',
  author: { login: 'mona', id: 3, type: 'User' },
  senderId: 3,
  byApp: false,
  createdAt: CREATED,
  updatedAt: CREATED,
};
const FENCE = '```';
const RECHECK = '/scangate recheck';

function readAs(change: Partial<IssueComment>): string {
  const read = readCommand({ ...COMMENT, ...change });
  return read.kind === 'ignored' ? `ignored: ${read.why}` : read.command.wanted.kind;
}

const FINDINGS = [
  'fnd_0001A2B3C4D',
  'fnd_0002abcdefgh',
  'fnd_0003ABCDEFGH',
  'fnd_a_twice123',
  'fnd_b_twice123',
  undefined,
].map((id) => sampleFinding({ id }));

const chosen = (labels: readonly string[]) =>
  chooseFindings(labels, FINDINGS).map((one) =>
    one.kind === 'finding' ? `${one.id} (${one.label})` : `${one.kind} (${one.label})`,
  );

test('commands are read as command.txt shows', async () => {
  await expectTable('command', {
    parseCommand: texts(
      '/scangate recheck',
      '/scangate false-positive ZK-1A2B3C4D not_reachable\r\n\r\nOnly tests.\n',
      `/scangate wont-fix ${many(20)} ZK-0`,
      '/scangate\twont-fix abcd_efg,fnd_a_b2 \t',
      // A word with a digit or with two underscores is no reason code.
      '/scangate wont-fix fnd_a_1 1_fnd_abc fnd__abc',
      '/scangate',
      '/scangate resolved ZK-1',
      '/scangate __proto__ ZK-1',
      '/scangate toString ZK-1',
      '/scangate FALSE-POSITIVE ZK-1',
      '/scangate recheck now',
      '/scangate mitigated',
      '/scangate mitigated monitored',
      `/scangate mitigated ${many(21)}`,
      '/scangate mitigated ZK-1 monitored limited_exposure',
      '/scangate mitigated ZK-1 not_reachable',
      '/scangate mitigated ZK-1 some_code',
      '/scangate mitigated ZK-1 Limited_Exposure',
      '/scangate reopen ZK-1 monitored',
    ),
    'parseCommand, for what only looks like a command': texts(
      '',
      'x',
      ` ${RECHECK}`,
      `    ${RECHECK}`,
      `> ${RECHECK}`,
      `\`${RECHECK}\``,
      `${FENCE}\n${RECHECK}\n${FENCE}`,
      `please\n${RECHECK}`,
      `\r\n${RECHECK}`,
      `<!-- x -->\n${RECHECK}`,
      `<!-- --> ${RECHECK}`,
      `\u200B${RECHECK}`,
      `\uFEFF${RECHECK}`,
      '/scangates recheck',
      '/scangate-recheck',
      '/SCANGATE recheck',
      '/sc\u0430ngate recheck',
      '/scan\u00ADgate recheck',
      '/scangate\u00A0recheck',
      '\uFF0Fscangate recheck',
    ),
    'readCommand, for a comment': casesOf(readAs, {
      'with text below the command': { body: `${RECHECK}\r\nthanks` },
      'without a command': { body: 'please' },
      'that was edited': { action: 'edited' },
      'that was deleted': { action: 'deleted' },
      'that has changed since it was created': { updatedAt: new Date(CREATED.getTime() + 1000) },
      'on an issue': { pullRequest: undefined },
      'by a bot': { author: { login: 'x[bot]', id: 3, type: 'Bot' } },
      'by an organization': { author: { login: 'x', id: 3, type: 'Organization' } },
      'by an app in the name of a user': { byApp: true },
      'by a deleted account': { author: undefined },
      'that another account sent': { senderId: 4 },
      'without a sender': { senderId: undefined },
    }),
    'chooseFindings, for': casesOf(chosen, {
      'a label': ['ZK-1A2B3C4D'],
      'a label in lower case': ['zk-1a2b3c4d'],
      'a label without the prefix': ['1A2B3C4D'],
      'the full id': ['fnd_a_twice123'],
      'one finding in three forms': ['ZK-1A2B3C4D', '1a2b3c4d', 'fnd_0001A2B3C4D'],
      'two labels that differ only in case': ['ZK-abcdefgh', 'ZK-ABCDEFGH'],
      'a label in mixed case': ['ZK-Abcdefgh'],
      'a label of two findings': ['ZK-twice123'],
      'labels of another scan': ['ZK-99999999', 'zk-88888888', 'ZK-99999999'],
      'the prefix in the middle': ['1A2BZK-3C4D'],
      'the prefix twice': ['ZK-ZK-1A2B3C4D'],
      'a part of a label': ['ZK-2B3C4D'],
      'only the prefix': ['ZK-'],
      'a letter that looks like K': ['Z\u212A-1A2B3C4D'],
      'the label of a finding without an id': ['undefined'],
    }),
  });
});

test('readCommand returns who wrote which command when', () => {
  expect(readCommand(COMMENT)).toEqual({
    kind: 'command',
    command: {
      pullRequest: 7,
      commentId: 50,
      author: COMMENT.author,
      createdAt: CREATED,
      body: RECHECK,
      wanted: { kind: 'recheck' },
    },
  });
});

test('readIssueComment reads the payload that GitHub documents, and reports all other payloads', () => {
  const event = { repository: 'octo-org/octo-repo', number: 7, body: RECHECK, author: 'mona' };
  const value = { action: 'created', pullRequest: 7, byApp: false };
  expect(readIssueComment(issueCommentEvent(event))).toMatchObject({ ok: true, value });
  expect(readIssueComment(issueCommentEvent({ ...event, onIssue: true }))).toMatchObject({
    ok: true,
    value: { pullRequest: undefined },
  });
  for (const payload of [
    undefined,
    {},
    { ...issueCommentEvent(event), comment: { body: RECHECK } },
    { ...issueCommentEvent(event), issue: { number: 0 } },
  ])
    expect(readIssueComment(payload)).toMatchObject({ ok: false, error: { reason: 'configuration' } });
});
