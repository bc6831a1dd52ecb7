const CUT = '…';

/** Cuts the text to at most `limit` UTF-16 units, including an ellipsis. Never splits a surrogate pair. */
export function cutCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return limit < CUT.length ? '' : wholeCharacters(text, limit - CUT.length) + CUT;
}

/** Cuts the text to at most `limit` bytes of UTF-8, including an ellipsis. Never splits a character. */
export function cutBytes(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  const space = limit - byteLength(CUT);
  if (space < 0) return '';
  // A UTF-16 unit takes one to three bytes, so the cut is between a third of the space and the whole space.
  let low = Math.min(Math.floor(space / 3), text.length);
  let high = Math.min(space, text.length);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteLength(wholeCharacters(text, middle)) <= space) low = middle;
    else high = middle - 1;
  }
  return wholeCharacters(text, low) + CUT;
}

/** Returns the length of the text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function wholeCharacters(text: string, units: number): string {
  const last = text.charCodeAt(units - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? units - 1 : units);
}
