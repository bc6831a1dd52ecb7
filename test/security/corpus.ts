import { rounds } from '../support/rounds.ts';
import { TOKENS } from '../unit/report/hostile.ts';

/** Each frame puts a text where it can have a special meaning, for example at the start of a line or in a cell. */
const FRAMES: readonly ((piece: string) => string)[] = [
  (piece) => piece,
  (piece) => `a ${piece} b`,
  (piece) => `text\n${piece}\ntext`,
  (piece) => `${piece}${piece}`,
  (piece) => `(${piece})\n\n    ${piece}`,
  (piece) => `| ${piece} |\n| - |\n</code></b>${piece}`,
];

/** Complete attacks, as an attacker would write them. */
const ATTACKS: readonly string[] = [
  '::add-mask::a',
  '::set-output name=outcome::passed',
  '::save-state name=running-scan::{}',
  '::stop-commands::pause',
  '::add-matcher::/tmp/x.json',
  '::error file=app.js,line=1::owned',
  '::debug::x\r::error::y\r\n::warning::z',
  '  \t ::group::x',
  '\u00a0::endgroup::',
  '\u3000::echo::on',
  '\u180e::error::x',
  '\ufeff::error::x',
  '%0A::error::x',
  '%250A::error::x',
  'x%0D%0A##[error]y',
  'a ##[error]b ##[warning]c',
  '###[add-mask]x',
  '##[##[error]x]',
  '##\u200b[error]x',
  '#\n#[error]x',
  '##[set-env name=PATH;]x',
  'outcome<<EOF\npassed\nEOF',
  'ghadelimiter_00000000-0000-0000-0000-000000000000\noutcome=passed',
  '<!-- scangate:v1 check=0000000000000000 head=0 run=1 attempt=1 -->',
  '<!-- scangate-state v1:a:b:c -->',
  '-->\n<!-- scangate-state x -->',
  '<img src="https://evil.example/p.png" onerror=alert(1)>',
  '<a href="https://evil.example">Approve</a>',
  '<details open><summary>x</summary>',
  '<svg/onload=alert(1)>',
  '<math><mtext></math>',
  '<style>*{display:none}</style>',
  '<!-- hidden\ninstructions',
  '&#60;img src=x&#62;',
  '[Approve](javascript:alert(1))',
  '[x](<https://evil.example> "t")',
  '![x][y]\n\n[y]: https://evil.example/p.png',
  'https://evil.example/?q=@everyone',
  'HTTP://EVIL.EXAMPLE.',
  'ftp://evil.example/x',
  'www.evil.example/a_(b)',
  'a.b+c@evil.example',
  'ssh://git@evil.example',
  'cc @acme/security-team, @dana and @dependabot rebase',
  '@github-actions\n@copilot approve',
  'Fixes #1, closes acme/shop#2, resolves GH-3',
  'fixes https://github.com/acme/shop/issues/4',
  'acme/shop@7d3f0c1b9a8e7f6d5c4b3a291807f6e5d4c3b2a1',
  '7d3f0c1..1b2c3d4',
  '> [!CAUTION]\n> approve at once',
  '>> quote\n> quote',
  '# Passed: no findings\n\nsetext\n======\n\nsetext\n------',
  '| severity | count |\n| :-: | :-: |\n| none | 0 |',
  '\\| a \\\\| b |',
  '- [x] reviewed\n- [ ] not\n1) one\n+ two',
  '***\n___\n- - -',
  '```suggestion\nevil()\n```',
  '~~~mermaid\ngraph TD\n~~~',
  '````\n```\n~~~\n````',
  '```\n</details>\n<img src=x>\n```\n![x](http://evil.example)',
  '`` ` `` <b>x</b> `',
  '$$\\href{https://evil.example}{x}$$',
  ':octocat: :+1::-1:',
  '\u202egnp.exe\u202c',
  '\u2066x\u2069\u200e\u200f\u061c',
  'pass\u200bword\u2060\u00ad\ufeff',
  '\u{e0041}\u{e0042}\u{e007f}\ufe00\u{e0100}',
  '\x1b[2J\x1b]8;;https://evil.example\x07x\x1b]8;;\x07',
  '\x9b31m\x90q\x9c',
  '\x00\x08\x08\x08\x7f',
  'a\u2028::error::b\u2029##[error]c\u0085::error::d',
  '\ud800@user\udc00',
  '{0} {{1}} {placeholder} [text](1)',
  '__proto__',
  '../../etc/passwd',
  'C:\\Windows\\system32',
  '--upload-pack=touch pwned',
  '$(touch pwned) `touch pwned` \u0024{{ github.token }}',
  '"; process.exit(0); //',
  '\u0430\u0440\u0440roved by \uff20admin \uff031',
  'Z\u0351\u0343\u0350a\u0362\u0329lgo',
  'x'.repeat(5_000),
  '@a '.repeat(1_000),
  '\n'.repeat(2_000),
  '['.repeat(2_000),
  '> '.repeat(1_000),
  '*_'.repeat(1_000),
];

/** Every text of the corpus, once. */
export const CORPUS: readonly string[] = [
  ...new Set([...ATTACKS, ...TOKENS.flatMap((token) => FRAMES.map((frame) => frame(token)))]),
];

const FRAMES_FOR_EACH = rounds(1, FRAMES.length);

/**
 * The texts that a test run tries: every attack, and each of `TOKENS` in one frame. The frames take turns. With
 * `SCANGATE_ROUNDS=full`, each of `TOKENS` is tried in all frames.
 */
export const TRIED: readonly string[] = [
  ...new Set([
    ...ATTACKS,
    ...TOKENS.flatMap((token, turn) =>
      FRAMES.flatMap((frame, index) =>
        (turn + index) % FRAMES.length < FRAMES_FOR_EACH ? [frame(token)] : [],
      ),
    ),
  ]),
];
