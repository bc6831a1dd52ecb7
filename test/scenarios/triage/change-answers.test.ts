import { isObject } from '../../../sandbox/json.ts';
import { forbidden, limited, lost, refusing, refusingAs, showingInstead } from '../effects.ts';
import { type Act, type TriageRow, TWO_TOKENS, testTriage, write } from './triage-rows.ts';

const READ = 'findings.read';
const SEND = 'findings.resolution';
const COMMENT = 'comments.read';
const failing = refusingAs(500, 'internal');
const conflict = refusingAs(409, 'conflict');
const notFound = refusingAs(404, 'not_found');
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
const edit =
  (added: string): Act =>
  ({ scenario: { environment } }) => {
    const command = environment.github.comments.findLast(({ body }) => body.startsWith('/scangate'));
    return void Object.assign(command ?? {}, { body: `${command?.body}${added}` });
  };
/** The comment with these members in place of its own. */
const comment = (change: (body: string) => object) =>
  showingInstead((body) => ({ ...Object(body), ...change(String(Object(body).body)) }));

/** In virtual time, the golden file can show the waits. */
const IN_PROCESS = { driver: 'in process', service: TWO_TOKENS } as const;

/** A command that changes one finding, and what happens at its requests. */
const row = (what: string, at: TriageRow['at'] = {}, text = ''): TriageRow => ({
  name: `a command ${what}`,
  gate: IN_PROCESS,
  at,
  steps: [write(`/scangate wont-fix {1}${text}`)],
});

testTriage('change-answers', [
  row('reads the notes, and sends the new status once'),
  row('sends nothing if the finding has its note already', { [READ]: withNote() }),
  row('sends nothing if a later command has changed the finding', { [READ]: withNote(1) }),
  row('sends nothing if the finding shows no notes', { [READ]: showing({ notes: undefined }) }),
  row('sends nothing if the finding shows notes in an unknown form', { [READ]: unreadable }),
  row('sends nothing if the finding cannot be read', { [READ]: notFound }),
  row('sends the status again if the answer was lost and the note is missing', { [`${SEND} 1`]: failing }),
  row('sends the status once if the answer was lost and the note is there', { [`${SEND} 1`]: lost }),
  row('reports two notes if the finding has its note twice', {
    [`${SEND} 1`]: lost,
    [`${READ} 2`]: withoutNotes,
  }),
  row('reports that there may be two notes if the notes cannot be read afterwards', {
    [`${SEND} 1`]: failing,
    [`${READ} 3`]: unreadable,
  }),
  row('sends the status once if the service answers 429', { [SEND]: limited(60) }),
  row('sends the status once if the service answers 403', { [SEND]: refusingAs(403, 'forbidden') }),
  row('sends the status at most twice', { [SEND]: failing }),
  row('does not know the result if the answer was lost and a later command changes the finding', {
    [`${SEND} 1`]: failing,
    [`${READ} 2`]: withNote(1),
  }),
  row('does not know the result if the answer was lost and the notes cannot be read', {
    [`${SEND} 1`]: failing,
    [`${READ} 2`]: unreadable,
  }),
  row('does not know the result if the answer was lost and the finding cannot be read', {
    [`${SEND} 1`]: failing,
    [`${READ} 2`]: notFound,
  }),
  row('reports that the finding has its note and another status', {
    [`${SEND} 1`]: lost,
    [`${READ} 2`]: showing({ resolutionStatus: 'IN_PROGRESS' }),
  }),
  row('sends the status again at once after a conflict', { [`${SEND} 1`]: conflict }),
  row('sends nothing more if a later command caused the conflict', {
    [SEND]: conflict,
    [`${READ} 2`]: withNote(1),
  }),
  row('reports a failure after two conflicts', { [SEND]: conflict }),
  row('does not know the result if a refusal follows a lost answer', {
    [`${SEND} 1`]: failing,
    [`${SEND} 2`]: refusingAs(403, 'forbidden'),
  }),
  row('does not know the result if a conflict follows a lost answer', {
    [`${SEND} 1`]: failing,
    [`${SEND} 2`]: conflict,
  }),
  row('looks for its note if the service answers with a redirect', {
    [`${SEND} 1`]: { status: 302, headers: { location: '/' } },
    [`${READ} 2`]: withNote(),
  }),
  row('looks for its note if the service answers with another status', {
    [`${SEND} 1`]: { status: 200, body: { findingId: 'x', resolutionStatus: 'RESOLVED' } },
    [`${READ} 2`]: withNote(),
  }),

  // The last look before the change.
  row('changes nothing if its comment was edited', { 'pulls.commits 1': edit(' ZK-1') }),
  row('changes nothing if its comment has another note', { 'pulls.commits 1': edit('no') }, '\nyes'),
  row('changes nothing if its comment was deleted', { [COMMENT]: refusing(404, 'Not Found') }),
  row('changes nothing if its comment has another author', {
    [COMMENT]: comment(() => ({ user: { id: 4 } })),
  }),
  row('changes nothing if its comment has no author', { [COMMENT]: comment(() => ({ user: null })) }),
  row('changes nothing if its comment cannot be read again', { [COMMENT]: refusing(500) }),
  row(
    'changes a finding if only the line ends of the comment have changed',
    { [COMMENT]: comment((body) => ({ body: body.replaceAll('\n', '\r\n') })) },
    '\nyes\nno',
  ),
  row('changes nothing if the pull request gets another head', { [READ]: push }),
  row('changes nothing if its author has lost access', { 'permission 2': refusing(404, 'Not Found') }),
  row('changes nothing if the access of its author cannot be read', { 'permission 2': forbidden }),
  row('looks again if its look took more than 15 s', { [`${READ} 1`]: slow }),
  row('changes nothing after three slow looks', {
    [`${READ} 1`]: slow,
    [`${READ} 3`]: slow,
    [`${READ} 5`]: slow,
  }),
]);
