export type SecretMasker = ReturnType<typeof createSecretMasker>;

/** Replaces secrets by `***`. Finds them in plain form, and in the encodings that GitHub's runner knows. */
export function createSecretMasker(secrets: readonly string[]) {
  const values: string[] = [];
  const needles = new Set<string>();
  const add = (value: string) => {
    if (value === '' || values.includes(value)) return;
    values.push(value);
    for (const form of [value, ...encodings(value)]) if (form !== '') needles.add(form);
  };
  for (const secret of secrets) add(secret);
  return {
    /** The secrets that were added. Their encodings are not in this list. */
    values,
    add,
    mask: (text: string): string => {
      const ranges = [...needles].flatMap((needle) => occurrences(text, needle));
      ranges.sort((a, b) => a.start - b.start);
      let masked = '';
      let shownFrom = 0;
      for (const { start, end } of ranges) {
        // Two secrets that overlap or touch appear as one `***`.
        if (masked === '' || start > shownFrom) masked += `${text.slice(shownFrom, start)}***`;
        shownFrom = Math.max(shownFrom, end);
      }
      return masked + text.slice(shownFrom);
    },
  };
}

/**
 * Returns the encodings of a secret: base64 at each of the three byte offsets, JSON, URI, XML, shell argument,
 * expression string. If the secret is in double quotation marks, also returns the text between them.
 */
function encodings(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64From = (shift: number) => bytes.subarray(bytes.length > shift ? shift : 0).toString('base64');
  return [
    base64From(0),
    base64From(1),
    base64From(2),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
    value.replace(/[<>"'&]/g, (c) => XML[c] ?? c),
    value.replaceAll('"', '\\"'),
    value.replaceAll("'", "''"),
    value.length > 8 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : '',
  ];
}

const XML: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '&': '&amp;',
};

function occurrences(text: string, needle: string) {
  const found = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    found.push({ start: at, end: at + needle.length });
  }
  return found;
}
