import { describe, expect, test } from 'vitest';
import { docsPage } from '../../../src/report/links.ts';
import {
  allowedAddress,
  BLANK_LINE,
  codeBlock,
  escapeCode,
  escapeText,
  inlineCode,
  join,
  LINE_BREAK,
  link,
  linkTarget,
  md,
  NOTHING,
  SEPARATOR,
  toText,
} from '../../../src/report/markdown.ts';
import {
  linkingChecks,
  linkingRun,
  renderCodeSpans,
  renderUntrustedText,
} from '../../../src/report/prose.ts';
import { escapeJsonForLog } from '../../../src/text/log-text.ts';
import { sampleFinding, samplePush, sampleReport } from './sample-report.ts';

const SIGNS = Array.from('&<>`*_[]~|\\!');
const FORKS = docsPage('forks');
const REPORT = sampleReport([sampleFinding()]);

/** The text in quotes, in which every invisible character is an escape. */
const quoted = (text: string) => escapeJsonForLog(JSON.stringify(text));

/** What escapes or renders one foreign text, and the texts by what they show. */
type Table = readonly [(text: string) => string, Readonly<Record<string, readonly string[]>>];

// `markdown-parsed.test.ts` checks how a parser of Markdown reads such texts.
const TABLES: Readonly<Record<string, Table>> = {
  escapeText: [
    escapeText,
    {
      'a sign becomes an entity': SIGNS.map((sign) => `${sign}a${sign}${sign}b${sign}`),
      'no mention': ['ask @user', '@@user @#1 `@user'],
      'no reference to an issue': ['fixes #12', 'acme/shop#4', 'GH-12, gh-3'],
      'no math': ['$x$'],
      'no address': ['see https://evil.example', 'www.evil.example', 'WWW.evil.example'],
      'no emoji': ['x :tada: y', 'x :+1: :e-mail: :a_b:', 'x :tada', `x :${'z'.repeat(60)}: y`],
      'no commit id': ['at deadbee.', 'at DEADBEE.', '0123456789abcdef0123456789abcdef01234567'],
      'a number is no commit id': [
        '1234567',
        'from 1 to 9007199254740991.',
        '999999',
        'v1234567',
        '1234567é',
      ],
      'one space': ['a b', 'a   b', 'a\tb', 'a \t\t b', 'a  '],
      'no list, heading or directive at the start': [
        '- item',
        ' - item',
        '    - item',
        '+ item',
        '1. item',
        '12) item',
        ' 1. item',
        '=== ',
        ': note',
        '.',
      ],
      'no meaning, so no change': [
        'a - b + c = d. e) 1. f',
        'a: b',
        'x:y z',
        'key:',
        'a 6 digits: deadbe, and others: deadbeg',
        `x :${'z'.repeat(61)}: y`,
        'wwwevil.example',
        'GH 12',
        '漢字 é 😀 "quoted" (x) {y} %20 ^ / ? ;',
      ],
      'invisible characters are shown': ['a\u202eb\nc'],
    },
  ],
  escapeCode: [
    escapeCode,
    {
      'a sign becomes an entity': [...SIGNS, '$'].map((sign) => `a${sign}${sign}b${sign}`),
      'no email address': ['a@evil.example', 'a.@b', 'a+@b', 'a-@b'],
      'no address': ['http://evil.example', 'www.evil.example', 'Www.evil.example'],
      'whole, so that it can be copied': [
        '@acme/shop',
        'x @user',
        'deadbeefdeadbeef',
        'GH-12',
        ':tada:',
        '- a  b',
        '1. a',
        'x rgb(1,2,3)',
      ],
      'no sample of a colour': ['#ff0000', '  #fff', 'rgb(1,2,3)', 'HSL(1,2,3)', 'x #fff'],
      'invisible characters are shown': ['a\u202eb\nc\td'],
    },
  ],
  codeBlock: [
    (text) => toText(codeBlock(text)),
    {
      'the fence is longer than any in the text': [
        'a',
        'a ``` b',
        'a ` b',
        'a ~~~~ b',
        '``` and ~~~~~',
        '````` ~ ~~~',
        '```` ~~~~',
      ],
      'no line breaks at the end': ['\n\na\n\n\n'],
      'invisible characters are shown': ['a\u202e\r\nb'],
    },
  ],
  renderUntrustedText: [
    (text) => toText(renderUntrustedText(text)),
    {
      'paragraphs and line breaks': ['one\ntwo\n\n \t\nthree\r\nfour\n', '', '\n \n'],
      'indentation up to a limit': ['a\n  b\n\tc', ...[40, 42].map((spaces) => `${' '.repeat(spaces)}a`)],
      'code between two backticks': ['a `b_c` d `e', '`a` `b`', 'a `` b'],
      'a fence opens a code block': ['```', '```js', '~~~', '   ```'].map(
        (fence) => `before\n${fence}\n  *a*\n\n# b\n${fence.includes('~') ? '~~~' : '```'}\nafter`,
      ),
      'a fence of the same kind closes the block': [
        '````\na\n```\nb\n~~~~\nc\n`````\nd',
        '~~~\na\n```\n~~~~\nb',
        'a\n```\nb',
      ],
      'no fence': ['``', '    ```', 'x ```', '~~'].map((line) => `${line}\na`),
    },
  ],
  renderCodeSpans: [
    (text) => toText(renderCodeSpans(text)),
    {
      'a page of our documentation is a link': [
        `Set \`a\`, as ${FORKS} shows.`,
        `Use ${docsPage('triage', 'close-findings-by-comment')} instead.`,
      ],
      'no link': [
        FORKS.replace('github.com', 'github-com'),
        FORKS.replace('github.com', 'evil.example'),
        FORKS.replace('docs/', 'docs/../../'),
        FORKS.replace('.md', '.html'),
        FORKS.replace('.md', '-md'),
        FORKS.replace('HEAD', 'head'),
        `See \`${FORKS}\`.`,
      ],
    },
  ],
  linkingRun: [
    (text) => toText(linkingRun(REPORT)(text)),
    {
      '`re-run this job` is a link': [
        'Re-run this job. Then re-run this job!',
        '!re-run this job(https://evil.example) [x](y) ![z] re-run this job!',
      ],
      'no link': ['Say `re-run this job`.', 'Re-run the job of that one.'],
    },
  ],
  'linkingChecks, for a push': [
    (text) => toText(linkingChecks({ ...REPORT, target: samplePush() })(text)),
    { 'no link': ['Re-run this job.'] },
  ],
};

test('foreign text gets no meaning in Markdown or on GitHub', async () => {
  const shown = Object.entries(TABLES).flatMap(([name, [render, groups]]) => [
    `=== ${name}`,
    ...Object.entries(groups).flatMap(([what, texts]) => [
      `${what}:`,
      ...texts.map((text) => `  ${quoted(text)} → ${quoted(render(text))}`),
    ]),
  ]);
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/foreign-text.txt');
});

const APP = 'https://scan.example/app/';
const ALLOWED = [APP, 'http://127.0.0.1:8080/', 'https://github.com/acme/shop/'];
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'below an allowed address': [`${APP}findings/1`, APP, 'http://127.0.0.1:8080/x?a=1#b'],
  'signs with a meaning in a Markdown link are encoded': [`${APP}a)b(c*d!e'f@g$h|i[j]k`],
  'signs that make an address invalid are encoded': [`${APP}a#b#c`, `${APP}50%/%zz`],
  'other signs are not encoded': [`${APP}a-b._~:/c?d=1;f,g+h%20#i`],
  'an ampersand is an entity in a link': [`${APP}?a=1&copy=2&b`],
  'another host, port or scheme': [
    'https://evil.example/app/x',
    'https://scan.example.evil.example/app/x',
    'https://scan.example:444/app/x',
    'http://scan.example/app/x',
    '//scan.example/app/x',
    `javascript:alert(1)//${APP}`,
    'data:text/html,x',
  ],
  'another path': [
    'https://scan.example/other/x',
    `${APP}../other`,
    'https://github.com/acme/shop/%2e%2e/other',
    'https://scan.example/application',
    'https://github.com/acme/shopping/x',
  ],
  'a user or a password': [
    'https://user@scan.example/app/x',
    'https://:pass@scan.example/app/x',
    'https://github.com@evil.example/acme/shop/',
  ],
  'invisible characters': [`${APP}\u202ex`, `${APP}x\n`, `${APP}x\n[y](z)`],
  'no address': ['scan.example/app/x', 'x', ''],
};

test('only a normalized address below an allowed one becomes a link', async () => {
  const shown = Object.entries(ADDRESSES).flatMap(([what, addresses]) => [
    `${what}:`,
    ...addresses.map((address) => {
      const [allowed, target] = [allowedAddress(address, ALLOWED), linkTarget(address, ALLOWED)];
      expect(toText(link('[x]', address, ALLOWED))).toBe(
        target === undefined ? '&#91;x&#93;' : `[&#91;x&#93;](${target})`,
      );
      return `  ${quoted(address)} → ${[...new Set([allowed, target])].join(', as a link ') || 'no link'}`;
    }),
  ]);
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/addresses.txt');
  expect(toText(link(md`**a**`, APP, ALLOWED))).toBe(`[**a**](${APP})`);
});

test.each([
  'ftp://scan.example/app/',
  'javascript://scan.example/app/',
  'xhttps://scan.example/',
  'httpsx://scan.example/',
])('allowedAddress rejects an address below %s, because only http and https are allowed', (prefix) => {
  expect(allowedAddress(`${prefix}x`, [prefix])).toBeUndefined();
});

test.each(['https://scan.example/app', 'no address', ''])(
  'allowedAddress ignores the allowed prefix %j, which is not an address with a final slash',
  (prefix) => {
    expect(allowedAddress(`${APP}x`, [prefix])).toBeUndefined();
    expect(allowedAddress(`${APP}x`, [prefix, ...ALLOWED])).toBe(`${APP}x`);
  },
);

describe('the limit of an address', () => {
  const limit = 2000 - APP.length;
  const address = (rest: string) => `${APP}${rest}`;

  test('an address may have up to 2,000 characters before encoding', () => {
    expect(linkTarget(address('x'.repeat(limit)), ALLOWED)).toBe(address('x'.repeat(limit)));
    expect(allowedAddress(address('x'.repeat(limit + 1)), ALLOWED)).toBeUndefined();
    // The limit is checked before the URL parser removes the dots.
    expect(allowedAddress(address(`${'./'.repeat(1000)}x`), ALLOWED)).toBeUndefined();
  });

  test('an address may have up to 2,000 characters after encoding', () => {
    expect(allowedAddress(address('('.repeat(limit / 3)), ALLOWED)).toHaveLength(2000 - (limit % 3));
    expect(allowedAddress(address('('.repeat(limit / 3 + 1)), ALLOWED)).toBeUndefined();
    const ampersands = (count: number) => address(`${'&'.repeat(count)}${'x'.repeat(limit - 5 * count)}`);
    expect(linkTarget(ampersands(10), ALLOWED)).toHaveLength(2000);
    expect(linkTarget(`${ampersands(10)}x`, ALLOWED)).toBeUndefined();
    expect(allowedAddress(`${ampersands(10)}x`, ALLOWED)).toHaveLength(2001 - 40);
  });
});

describe('md', () => {
  test('md trusts the template and safe Markdown, and escapes all other values', () => {
    expect(toText(md`**${'*a*'}** and ${7}`)).toBe('**&#42;a&#42;** and 7');
    expect(toText(md`${md`**a**`}: ${[md`*b*`, md`*c*`]}.`)).toBe('**a**: *b**c*.');
  });

  test('md separates two adjacent untrusted values, so that they cannot form one token', () => {
    expect(toText(md`x${1}${2}x`)).toBe('x1&#8203;2x');
    expect(toText(md`${md`a`}${'b'}${md`c`}`)).toBe('a&#8203;b&#8203;c');
    expect(toText(md`${md`a`}${md`b`}`)).toBe('ab');
    expect(toText(md`${'a'} ${'b'}`)).toBe('a b');
  });
});

test('join leaves out empty pieces', () => {
  expect(toText(join([md`a`, NOTHING, md`b`], SEPARATOR))).toBe('a · b');
  expect(toText(join([md`a`, md`b`], BLANK_LINE))).toBe('a\n\nb');
  expect(toText(join([md`a`, md`b`], LINE_BREAK))).toBe('a<br>b');
  expect(toText(join([NOTHING, inlineCode('')], SEPARATOR))).toBe('');
});
