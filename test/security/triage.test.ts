import fc from 'fast-check';
import { expect, test } from 'vitest';
import { issueCommentEvent } from '../../sandbox/events.ts';
import { err, ok } from '../../src/domain/result.ts';
import { readIssueComment } from '../../src/github/comment-list.ts';
import { replyLine } from '../../src/github/reply.ts';
import { createRunnerLog } from '../../src/runner/log.ts';
import { answerOfChange, answerOfRecheck } from '../../src/triage/answer.ts';
import type { Changed } from '../../src/triage/change-command.ts';
import { noLabels, unclear } from '../../src/triage/change-refusal.ts';
import { renderChanged } from '../../src/triage/change-texts.ts';
import { COMMAND, type Command, parseCommand, readCommand, shown } from '../../src/triage/command.ts';
import { noJob, noMark, notCompleted, notRerun, type Refusal, unreadable } from '../../src/triage/refusal.ts';
import { renderSummary, resultLine } from '../../src/triage/texts.ts';
import { rounds } from '../support/rounds.ts';
import { printed } from '../support/runner-files.ts';
import { refused } from '../unit/doctor/sample-facts.ts';
import { gitHubError } from '../unit/github/samples.ts';
import { hostileText } from '../unit/report/hostile.ts';
import { PLACE, refusedBy, rerunOf, sweptOf } from '../unit/triage/triage-states.ts';
import { TRIED } from './corpus.ts';
import { commandsIn, unintendedIn, unseenIn } from './unintended.ts';

/**
 * Refusals that have `text` in every foreign value. The author of a pull request chooses the names of its jobs. The
 * service and GitHub choose their values and messages.
 */
function refusalsOf(text: string): readonly Refusal[] {
  const message = text.replace(/\s+/g, ' ').slice(0, 300);
  const error = { ...gitHubError('forbidden', { permission: 'actions: write' }), message };
  return [
    noLabels('wont-fix', [
      { kind: 'unknown', label: text },
      { kind: 'ambiguous', label: text },
    ]),
    noJob('scangate', [text, `${text}2`]),
    noJob(undefined, [text]),
    notCompleted(text),
    noMark(text.slice(0, 100), 'a'.repeat(40)),
    ...[`/scangate ${text}`, `/scangate wont-fix ZK-1 ${text}`].flatMap((body) => {
      const wanted = parseCommand(body);
      return wanted?.kind === 'unclear' ? [unclear(wanted.cause)] : [];
    }),
    unclear(`There is no command ${shown(text)}.`),
    unreadable(error),
    notRerun(error),
  ];
}

/**
 * The result of a command. It has `text` in every foreign value. A user chooses the labels of a command. The service
 * chooses the values that it returns.
 */
function changedOf(text: string): Changed {
  const error = { ...refused(400, text), message: text, tooFresh: false } as const;
  const named = { label: text, title: text };
  return {
    command: commandOf(text),
    change: { word: 'wont-fix', status: 'WONT_FIX', labels: [], reason: 'monitored', note: '' },
    results: [
      { ...named, kind: 'changed', notes: undefined },
      { ...named, kind: 'failed', error },
      { ...named, kind: 'not-known', error },
      { ...named, kind: 'other-status', shown: text },
    ],
    showsTitles: true,
    rechecked: refusedBy(noJob('scangate', [text])),
  };
}

/** A command that has `text` as the login of its author. */
function commandOf(text: string): Command {
  return {
    pullRequest: 7,
    commentId: 9,
    author: { login: text, id: 1, type: 'User' },
    createdAt: new Date(0),
    body: '/scangate recheck',
    wanted: { kind: 'recheck' },
  };
}

function faultsOf(text: string): string[] {
  const command = commandOf(text);
  const refusals = refusalsOf(text);
  const done = [rerunOf(7, text), ...refusals.map((refusal) => refusedBy(refusal))];
  const changes = [ok(changedOf(text)), ...refusals.map(err)];
  const answers = [
    ...done.map((one) => answerOfRecheck(command, one, PLACE)),
    ...changes.map((one) => answerOfChange(command, one, PLACE)),
  ];
  const summary = renderSummary(sweptOf(done), PLACE);
  const lines = printed();
  const log = createRunnerLog();
  for (const one of done) log.info(resultLine(one));
  for (const { lines } of answers) for (const line of lines) log.info(line);
  const shown = lines().join('\n');
  // Each row of the table is one line. All rows have the same number of cells.
  const rows = summary.split('\n').filter((line) => line.startsWith('|'));
  return [
    ...[...answers.map(({ reply = '' }) => reply), summary].flatMap((markdown) => unintendedIn(markdown)),
    ...commandsIn(shown).map((command) => `obeyed: ${command}`),
    ...unseenIn(shown),
    ...(rows.length === done.length + 2 ? [] : [`${rows.length} rows`]),
    ...rows.flatMap((row) => (row.split(/(?<!\\)\|/).length === 4 ? [] : [`cells: ${row}`])),
  ];
}

test.each(['$', '#', '&', '😀'])(
  'a reply about twenty findings with long texts fits into a comment (repeated character: %s)',
  (character) => {
    const { results, ...changed } = changedOf(character.repeat(5_000));
    const lost = results.filter(({ kind }) => kind === 'not-known');
    const all = { ...changed, results: Array.from({ length: 20 }, () => lost).flat() };
    const text = `${replyLine('Security scan')}\n${renderChanged(all, PLACE)}`;
    expect(text.length).toBeLessThanOrEqual(65_536);
  },
);

test('the hostile texts have no effect in the output of the triage action', () => {
  const faults = TRIED.flatMap((text) =>
    faultsOf(text).map((fault) => `${JSON.stringify(text).slice(0, 80)}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('random texts have no effect in the output of the triage action', () => {
  const property = fc.property(hostileText, (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
  fc.assert(property, { numRuns: rounds(10, 1_000) });
});

test('a random comment is a command only if the command is on its first line', () => {
  const isCommand = (body: string) => {
    const event = issueCommentEvent({ repository: 'octo-org/octo-repo', number: 7, author: 'mona', body });
    const read = readIssueComment(event);
    const command = read.ok ? readCommand(read.value) : undefined;
    return command?.kind === 'command' && command.command.wanted.kind === 'recheck';
  };
  fc.assert(
    fc.property(hostileText, fc.constantFrom('', ' ', '\n', '> ', '\u200B', '`'), (text, between) => {
      const before = `${text}${between}`;
      if (before !== '') expect(isCommand(`${before}${COMMAND}`)).toBe(false);
      const [line] = text.split(/\r?\n/, 1);
      expect(isCommand(`${COMMAND}${text}`)).toBe(/^[ \t,]*$/.test(line ?? ''));
      expect(isCommand(`${COMMAND}\n${text}`)).toBe(true);
    }),
    { numRuns: rounds(40, 1_000) },
  );
});
