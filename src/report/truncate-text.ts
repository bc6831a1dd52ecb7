import { byteLength, cutCharacters } from '../text/text-limit.ts';
import { renderCodeSpans } from './code-spans.ts';
import { NOTHING, type SafeMarkdown, toText } from './markdown.ts';

/**
 * One line of foreign text, of which at most so many bytes are written: escaped, one sign can take 18. What stands
 * between backticks is code; a cut is shown by an ellipsis.
 */
export function truncateText(
  text: string,
  bytes: number,
  render: (text: string) => SafeMarkdown = (line) => renderCodeSpans(line),
): SafeMarkdown {
  let fitting = NOTHING;
  let shortest = 0;
  let longest = Math.min(text.length, bytes);
  // The whole is tried first; then the length is halved in on.
  for (let length = longest; shortest <= longest; length = Math.floor((shortest + longest) / 2)) {
    const written = render(cutCharacters(text, length));
    if (byteLength(toText(written)) <= bytes) {
      fitting = written;
      shortest = length + 1;
    } else longest = length - 1;
  }
  return fitting;
}
