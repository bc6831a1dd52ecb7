import { byteLength, cutCharacters } from '../text/text-limit.ts';
import { renderCodeSpans } from './code-spans.ts';
import { NOTHING, type SafeMarkdown, toText } from './markdown.ts';

/**
 * Renders one line of foreign text in at most the given number of bytes. Escaping can turn one character into 18 bytes.
 * Text between backticks becomes code. An ellipsis marks a cut.
 */
export function truncateText(
  text: string,
  bytes: number,
  render: (text: string) => SafeMarkdown = (line) => renderCodeSpans(line),
): SafeMarkdown {
  let fitting = NOTHING;
  let shortest = 0;
  let longest = Math.min(text.length, bytes);
  // The loop first tries the whole text. Then bisection finds the greatest length that fits.
  for (let length = longest; shortest <= longest; length = Math.floor((shortest + longest) / 2)) {
    const written = render(cutCharacters(text, length));
    if (byteLength(toText(written)) <= bytes) {
      fitting = written;
      shortest = length + 1;
    } else longest = length - 1;
  }
  return fitting;
}
