import fc from 'fast-check';
import { CODE_POINT } from '../../support/code-point.ts';

/** Texts that have a meaning in Markdown, on GitHub or for the runner, and characters that are part of such texts. */
export const TOKENS: readonly string[] = [
  // Mentions, issues and commits.
  ...['@user', '@org/team', '#1', 'GH-12', 'gh-3', 'owner/repo#4', 'fixes #5', 'deadbeef'],
  '0123456789abcdef0123456789abcdef01234567',
  // Addresses.
  ...[
    'http://evil.example',
    'HTTPS://evil.example',
    'ftp://x.example',
    'www.evil.example',
    'WWW.evil.example',
  ],
  ...['a@evil.example', 'mailto:a@evil.example', 'xmpp:a@evil.example/b'],
  ...['<http://evil.example>', '<a@evil.example>'],
  // Links, images and footnotes.
  ...['[x](http://evil.example)', '![x](http://evil.example)', '[x]', '[x]: http://evil.example'],
  ...['[^1]', '[^1]: note'],
  // HTML and entities.
  ...['<img src=x>', '<script>', '</details>', '</code>', '</summary>', '<!--', '-->', '<br>', '<?x?>'],
  ...['<![CDATA[x]]>', '&lt;', '&#64;user', '&copy;', '&'],
  // Emphasis, code, math and emoji.
  ...['*b*', '**b**', '_i_', '__b__', '~~s~~', '`c`', '``', '```', '~~~', '````', '```mermaid'],
  ...['$x$', '$$x$$', '$`x`$', ':tada:', ':+1:', '#ff0000', 'rgb(1,2,3)'],
  // Blocks.
  ...['#', '# h', '####### h', '---', '===', '***', '- x', '* x', '+ x', '1. x', '12) x', '- [ ] x'],
  ...['> q', '> [!NOTE]', '|', '| a | b |', '|-|-|', ':-:', ':::', ':::note', '{{x}}'],
  // Commands for the runner.
  ...['::error::x', '##[error]x'],
  // Signs.
  ...['\\', '\\*', '!', '.', ')', '=', '+', '-', ':', '"', "'"],
  // White space, and what is invisible.
  ...['\n', '\r', '\r\n', '\t', '    ', '  ', ' ', '\u2028', '\u2029', '\u0085', '\v', '\f'],
  ...['\0', '\x07', '\x1b[31m', '\x9b1m', '\u202e', '\u2066', '\u200b', '\u200d', '\ufeff', '\u00ad'],
  ...['\u{e0041}', '\ufe0f', '\u3164', '\ud800', '\udc00'],
  // Text.
  ...['😀', 'word', 'a', 'f', '7', 'é', '漢'],
];

/** Random texts that are made of `TOKENS` and of random characters. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...TOKENS) },
      fc.string({ unit: CODE_POINT, maxLength: 6 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((pieces) => pieces.join(''));
