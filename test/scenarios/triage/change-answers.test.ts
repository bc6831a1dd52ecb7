import { describe } from 'vitest';
import { isObject } from '../../../sandbox/json.ts';
import { forbidden, limited, lost, refusing, refusingAs, showingInstead } from '../effects.ts';
import { type Act, testCommands } from './command-rows.ts';

const READ = 'findings.read';
const SEND = 'findings.resolution';
const failing = refusingAs(500, 'internal');
const conflict = refusingAs(409, 'conflict');
/** The finding with these members in place of its own. */
const showing = (members: object) =>
  showingInstead((body) => ({ finding: { ...Object(isObject(body) ? body['finding'] : {}), ...members } }));
const withoutNotes = showing({ notes: [] });
const unreadable = showing({ notes: [{ id: 1 }] });
/** The finding has a note of this command, or of a comment whose id is larger by `later`. */
const withNote =
  (later = 0): Act =>
  ({ scenario: { environment } }) => {
    const { github, repository, pullRequest } = environment;
    const command = github.comments.findLast(({ body }) => body.startsWith('/scangate'));
    const url = `${github.serverUrl}/${repository}/pull/${pullRequest}#issuecomment-${(command?.id ?? 0) + later}`;
    return showing({ notes: [{ content: `- Comment: ${url}` }], resolutionStatus: 'WONT_FIX' });
  };
const push: Act = ({ scenario: { environment, repository } }) =>
  void environment.github.setHead(environment.pullRequest, repository.id('low'));
/** An answer that makes a look at the finding take 20 s. */
const slow = limited(20);

const SET = /Set to WONT_FIX\./;
const UNKNOWN = /It is not known whether the finding was changed/;
const NOT_CHANGED = /Not changed\./;
const OVERTAKEN = /A later command has changed this finding/;

describe('the requests of a command that changes a finding', () => {
  testCommands([
    { name: 'a command reads the notes, and sends the new status once', asks: 'read send', reply: SET },
    {
      name: 'a command sends nothing if the finding has its note already',
      at: { [READ]: withNote() },
      asks: 'read',
      reply: SET,
    },
    {
      name: 'a command sends nothing if a later command has changed the finding',
      at: { [READ]: withNote(1) },
      asks: 'read',
      reply: OVERTAKEN,
    },
    ...(
      [
        ['no notes', showing({ notes: undefined })],
        ['notes in an unknown form', unreadable],
      ] as const
    ).map(([what, answer]) => ({
      name: `a command sends nothing if the finding shows ${what}`,
      at: { [READ]: answer },
      asks: 'read',
      exitCode: 1 as const,
      reply: /The notes of the finding cannot be read/,
    })),
    {
      name: 'a command sends nothing if the finding cannot be read',
      at: { [READ]: refusingAs(404, 'not_found') },
      asks: 'read',
      exitCode: 1,
      reply: /Not changed, because the notes of the finding cannot be read/,
    },
    {
      name: 'a command sends the new status again after 3 s if its answer was lost and the finding lacks the note',
      at: { [`${SEND} 1`]: failing },
      asks: 'read send 3 s read send read',
      reply: SET,
    },
    {
      name: 'a command sends the new status once if its answer was lost and the finding has the note',
      at: { [`${SEND} 1`]: lost },
      asks: 'read send 3 s read',
      reply: SET,
    },
    {
      name: 'a command reports two notes if the finding has its note twice',
      at: { [`${SEND} 1`]: lost, [`${READ} 2`]: withoutNotes },
      asks: 'read send 3 s read send read',
      reply: /the finding has 2 notes of this command/,
    },
    {
      name: 'a command reports that there may be two notes if the notes cannot be read afterwards',
      at: { [`${SEND} 1`]: failing, [`${READ} 3`]: unreadable },
      asks: 'read send 3 s read send read',
      reply: /the finding may have the note of this command twice/,
    },
    ...(
      [
        [429, limited(60), /Not changed\. .*Write the command again/],
        [403, refusingAs(403, 'forbidden'), /Not changed\. .*needs the scopes read and findings:write/],
      ] as const
    ).map(([status, answer, reply]) => ({
      name: `a command sends the new status once if the service answers ${status}`,
      at: { [SEND]: answer },
      asks: 'read send',
      exitCode: 1 as const,
      reply,
    })),
    {
      name: 'a command sends the new status at most twice',
      at: { [SEND]: failing },
      asks: 'read send 3 s read send 3 s read',
      exitCode: 1,
      reply: UNKNOWN,
    },
    ...(
      [
        ['a later command changes the finding', withNote(1)],
        ['the notes cannot be read', unreadable],
        ['the finding cannot be read', refusingAs(404, 'not_found')],
      ] as const
    ).map(([what, answer]) => ({
      name: `a command does not know the result if its answer was lost and ${what}`,
      at: { [`${SEND} 1`]: failing, [`${READ} 2`]: answer },
      asks: 'read send 3 s read',
      exitCode: 1 as const,
      reply: UNKNOWN,
    })),
    {
      name: 'a command reports that the finding has its note and another status',
      at: { [`${SEND} 1`]: lost, [`${READ} 2`]: showing({ resolutionStatus: 'IN_PROGRESS' }) },
      asks: 'read send 3 s read',
      exitCode: 1,
      reply: /has the note of this command, and shows the finding as IN_PROGRESS/,
    },
    {
      name: 'a command sends the new status again at once after a conflict',
      at: { [`${SEND} 1`]: conflict },
      asks: 'read send read send read',
      reply: SET,
    },
    {
      name: 'a command sends nothing more if a later command caused the conflict',
      at: { [SEND]: conflict, [`${READ} 2`]: withNote(1) },
      asks: 'read send read',
      reply: OVERTAKEN,
    },
    {
      name: 'a command reports a failure after two conflicts',
      at: { [SEND]: conflict },
      asks: 'read send read send read',
      exitCode: 1,
      reply: NOT_CHANGED,
    },
    {
      name: 'a command does not know the result if a refusal follows a lost answer',
      at: { [`${SEND} 1`]: failing, [`${SEND} 2`]: refusingAs(403, 'forbidden') },
      asks: 'read send 3 s read send',
      exitCode: 1,
      reply: UNKNOWN,
    },
    {
      name: 'a command does not know the result if a conflict follows a lost answer',
      at: { [`${SEND} 1`]: failing, [`${SEND} 2`]: conflict },
      asks: 'read send 3 s read send read',
      exitCode: 1,
      reply: UNKNOWN,
    },
    ...(
      [
        ['a redirect', { status: 302, headers: { location: '/' } }],
        ['a page of HTML', { status: 200, body: '<html>' }],
        ['an empty object', { status: 200, body: {} }],
        ['another status', { status: 200, body: { findingId: 'x', resolutionStatus: 'RESOLVED' } }],
      ] as const
    ).map(([what, answer]) => ({
      name: `a command looks for its note if the service answers with ${what}`,
      at: { [`${SEND} 1`]: answer, [`${READ} 2`]: withNote() },
      asks: 'read send 3 s read',
      reply: SET,
    })),
  ]);
});

const edit =
  (added: string): Act =>
  ({ scenario: { environment } }) => {
    const command = environment.github.comments.findLast(({ body }) => body.startsWith('/scangate'));
    return void Object.assign(command ?? {}, { body: `${command?.body}${added}` });
  };
/** The comment with these members in place of its own. */
const comment = (change: (body: string) => object) =>
  showingInstead((body) => ({ ...Object(body), ...change(String(Object(body).body)) }));
const COMMENT = 'comments.read';

describe('the last look before a command changes a finding', () => {
  testCommands([
    ...(
      [
        ['was edited', { 'pulls.commits 1': edit(' ZK-1') }, 0, /edited/],
        ['has another note', { 'pulls.commits 1': edit('no') }, 0, /edited/],
        ['was deleted', { [COMMENT]: refusing(404, 'Not Found') }, 0, /deleted/],
        ['has another author', { [COMMENT]: comment(() => ({ user: { id: 4 } })) }, 0, /edited/],
        ['has no author', { [COMMENT]: comment(() => ({ user: null })) }, 0, /edited/],
        ['cannot be read again', { [COMMENT]: refusing(500) }, 1, /Could not read the comment again/],
      ] as const
    ).map(([what, at, exitCode, why]) => ({
      name: `a command changes nothing if its comment ${what}`,
      at,
      text: '\nyes',
      asks: 'read',
      exitCode,
      reply: new RegExp(`No finding was changed[^]*${why.source}`),
    })),
    {
      name: 'a command changes a finding if only the line ends of the comment have changed',
      at: { [COMMENT]: comment((body) => ({ body: body.replaceAll('\n', '\r\n') })) },
      text: '\nyes\nno',
      asks: 'read send',
      reply: SET,
    },
    {
      name: 'a command changes nothing if the pull request gets another head',
      at: { [READ]: push },
      asks: 'read',
      reply: /another head commit/,
    },
    {
      name: 'a command changes nothing if its author has lost access',
      at: { 'permission 2': refusing(404, 'Not Found') },
      asks: 'read',
      reply: /access/,
    },
    {
      name: 'a command changes nothing if the access of its author cannot be read',
      at: { 'permission 2': forbidden },
      asks: 'read',
      exitCode: 1,
      reply: /Could not/,
    },
    {
      name: 'a command looks again if its look took more than 15 s',
      at: { [`${READ} 1`]: slow },
      asks: 'read 20 s read read send',
      reply: SET,
    },
    {
      name: 'a command changes nothing after three slow looks',
      at: { [`${READ} 1`]: slow, [`${READ} 3`]: slow, [`${READ} 5`]: slow },
      asks: 'read 20 s read read 20 s read read 20 s read',
      exitCode: 1,
      reply: /No finding was changed/,
    },
  ]);
});
