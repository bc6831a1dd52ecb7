import { describe, expect, test } from 'vitest';
import {
  hiddenLines,
  isLater,
  markerLine,
  ownComments,
  type PostedComment,
  readMarker,
  readState,
  saysTheSame,
} from '../../../src/github/comment-marker.ts';
import { SHA } from './client.ts';

const MARKER = { checkName: 'Security scan', headSha: SHA.head, runId: 42, runAttempt: 1 };

describe('markerLine and readMarker', () => {
  test('readMarker reads the line that markerLine writes', () => {
    const line = markerLine(MARKER);
    expect(line).toMatch(/^<!-- [^\n]* -->$/);
    expect(readMarker(`${line}\nbody`, 'Security scan')).toEqual(MARKER);
    expect(readMarker(`${line}\r\nbody`, 'Security scan')).toEqual(MARKER);
    const late = { ...MARKER, runId: 123_456_789_012, runAttempt: 12 };
    expect(readMarker(markerLine(late), 'Security scan')).toEqual(late);
  });

  test('markerLine never writes the name of the check', () => {
    const checkName = 'x --> @everyone\n<img>';
    const line = markerLine({ ...MARKER, checkName });
    expect(line).not.toMatch(/everyone|<img|\n/);
    expect(readMarker(line, checkName)).toEqual({ ...MARKER, checkName });
  });

  test('readMarker rejects the marker of another check', () => {
    expect(readMarker(markerLine(MARKER), 'Other scan')).toBeUndefined();
  });

  test.each([
    ['not in the first line', (line: string) => `hello\n${line}`],
    ['after a space', (line: string) => ` ${line}`],
    ['with text after it', (line: string) => `${line} and more`],
    ['of another version', (line: string) => line.replace('v1', 'v2')],
    ['with a negative run', (line: string) => line.replace('run=42', 'run=-42')],
    ['with a run too long for a number', (line: string) => line.replace('run=42', `run=${'9'.repeat(30)}`)],
    ['with a short head', (line: string) => line.replace(SHA.head, SHA.head.slice(1))],
    ['with a head that is too long', (line: string) => line.replace(SHA.head, `${SHA.head}aa`)],
    ['without one of its members', (line: string) => line.replace(' attempt=1', '')],
    ['that is missing', () => ''],
  ])('readMarker rejects a marker %s', (_how, change) => {
    expect(readMarker(change(markerLine(MARKER)), 'Security scan')).toBeUndefined();
  });
});

describe('hiddenLines and readState', () => {
  const STATE = "v1:a--b.c!d*'(e)~%F0%9F%98%80:00ff:00ff";

  test('readState reads the hidden line that hiddenLines writes', () => {
    const lines = hiddenLines(MARKER, STATE);
    expect(lines.split('\n')).toEqual([markerLine(MARKER), expect.stringMatching(/^<!-- [^<>\n]+ -->$/)]);
    for (const end of ['\n', '\r\n']) {
      const comment = `${lines}\n## Blocked`.replaceAll('\n', end);
      expect(readState(comment)).toBe(STATE);
      expect(readMarker(comment, 'Security scan')).toEqual(MARKER);
    }
  });

  test.each(['', 'two words', 'x-->', '<b>', 'line\nbreak', 'ümlaut', 'x'.repeat(20_001)])(
    'hiddenLines leaves out an invalid state: %j',
    (state) => {
      expect(hiddenLines(MARKER, state)).toBe(markerLine(MARKER));
    },
  );

  test.each([
    ['in the third line', `${markerLine(MARKER)}\n\n<!-- scangate-state x -->`],
    ['in the first line', '<!-- scangate-state x -->'],
    ['after a space', `${markerLine(MARKER)}\n <!-- scangate-state x -->`],
    ['with text after it', `${markerLine(MARKER)}\n<!-- scangate-state x --> y`],
    ['of two words', `${markerLine(MARKER)}\n<!-- scangate-state x y -->`],
    ['that is too long', `${markerLine(MARKER)}\n<!-- scangate-state ${'x'.repeat(20_001)} -->`],
    ['that is missing', markerLine(MARKER)],
  ])('readState rejects a state %s', (_how, comment) => {
    expect(readState(comment)).toBeUndefined();
  });
});

test.each([
  [true, 1, 43],
  [true, 2, 42],
  [false, 1, 42],
  [false, 9, 41],
])(
  'compared with attempt 1 of run 42, isLater returns %s for attempt %i of run %i',
  (later, runAttempt, runId) => {
    expect(isLater({ ...MARKER, runId, runAttempt }, MARKER)).toBe(later);
  },
);

describe('saysTheSame', () => {
  const body = 'Blocked.\n\n[run](https://github.com/acme/shop/actions/runs/42/attempts/1)';

  test('saysTheSame ignores the marker and the run', () => {
    const before = `${markerLine(MARKER)}\r\n${body.replaceAll('\n', '\r\n').replace('42/attempts/1', '41')}\n`;
    expect(saysTheSame(before, body)).toBe(true);
  });

  test('saysTheSame ignores the hidden state below the marker', () => {
    expect(saysTheSame(`${hiddenLines(MARKER, 'v1:s:k:m')}\n${body}`, body)).toBe(true);
    const quoted = `<!-- scangate-state x -->\n${body}`;
    expect(saysTheSame(`${hiddenLines(MARKER, 'v1:s:k:m')}\n${quoted}`, body)).toBe(false);
  });

  test('saysTheSame ignores the difference between LF and CR LF', () => {
    expect(saysTheSame(`${markerLine(MARKER)}\na\nb`, 'a\r\nb')).toBe(true);
  });

  test('saysTheSame ignores the numbers of the run, the attempt and the job', () => {
    const before = `${markerLine(MARKER)}\n${body.replace('42/attempts/1', '7/attempts/12/job/345')}`;
    expect(saysTheSame(before, body)).toBe(true);
  });

  test('saysTheSame finds a difference if a line break or the link to the run is missing', () => {
    expect(saysTheSame(`${markerLine(MARKER)}\na\nb`, 'ab')).toBe(false);
    const without = body.replace('/actions/runs/42/attempts/1', '');
    expect(saysTheSame(`${markerLine(MARKER)}\n${without}`, body)).toBe(false);
  });

  test('saysTheSame finds a difference in the text', () => {
    expect(saysTheSame(`${markerLine(MARKER)}\n${body}`, body.replace('Blocked', 'Passed'))).toBe(false);
    expect(saysTheSame(`${markerLine(MARKER)}\n${body}`, `${body}\nmore`)).toBe(false);
  });
});

const APP = 'github-actions[bot]';
const BODY = `${markerLine(MARKER)}\nBlocked.`;

function posted(id: number, change: Partial<PostedComment> = {}): PostedComment {
  return {
    id,
    url: `https://github.com/c/${id}`,
    body: BODY,
    author: { login: APP, type: 'Bot' },
    ...change,
  };
}
const idsOf = (comments: readonly PostedComment[], author: string) =>
  ownComments(comments, 'Security scan', author).map(({ id }) => id);

test('ownComments reads our comment with its marker and its state', () => {
  const body = `${hiddenLines(MARKER, 'v1:s')}\nBlocked.`;
  expect(ownComments([posted(7, { body })], 'Security scan', APP)).toEqual([
    { id: 7, url: 'https://github.com/c/7', body, marker: MARKER, state: 'v1:s' },
  ]);
});

test('ownComments returns our comments, the oldest first', () => {
  expect(idsOf([posted(9), posted(7), posted(8)], APP)).toEqual([7, 8, 9]);
});

describe('ownComments', () => {
  test.each<[string, Partial<PostedComment>]>([
    ['without the marker', { body: 'Blocked.' }],
    ['from another check', { body: `${markerLine({ ...MARKER, checkName: 'Other' })}\nx` }],
    ['from a deleted account', { author: undefined }],
    ['from a person', { author: { login: 'mallory', type: 'User' } }],
    ['from a person with the name of the app', { author: { login: 'github-actions', type: 'User' } }],
    ['from a person with the login of the app', { author: { login: APP, type: 'User' } }],
    [
      'from an unknown type of account with the login of the app',
      { author: { login: APP, type: undefined } },
    ],
    ['from another app', { author: { login: 'other[bot]', type: 'Bot' } }],
  ])('ownComments leaves out a comment %s', (_whose, change) => {
    expect(idsOf([posted(1, change)], APP)).toEqual([]);
  });
});

describe('ownComments: the writer', () => {
  const by = (login: string, type: string) => [posted(1, { author: { login, type } })];

  test('ownComments recognizes the name of the app with and without `[bot]`', () => {
    expect(idsOf(by('GitHub-Actions[bot]', 'Bot'), APP)).toEqual([1]);
    expect(idsOf(by('my-app[bot]', 'Bot'), 'My-App')).toEqual([1]);
    expect(idsOf(by('my-app[bot]', 'Bot'), 'MY-APP[bot]')).toEqual([1]);
  });

  test('ownComments rejects a person whose login looks like the name of the app', () => {
    expect(idsOf(by('my-app[bot]', 'User'), 'my-app')).toEqual([]);
    expect(idsOf(by('my-app', 'User'), 'my-app[bot]')).toEqual([]);
  });

  test('for the token of a person, ownComments accepts only comments by this person', () => {
    expect(idsOf(by('Dana', 'User'), 'dana')).toEqual([1]);
    expect(idsOf(by('danab', 'User'), 'dana')).toEqual([]);
    expect(idsOf(by('other[bot]', 'Bot'), 'dana')).toEqual([]);
  });
});
