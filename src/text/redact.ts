const REDACTED = '***';

/**
 * The part of a secret after the last underscore is hidden only if it has at least this many characters. A shorter part
 * can occur in any text by chance.
 */
const SHORTEST_SECRET_PART = 8;

/**
 * Creates a function that hides the secret in any text. It hides the whole secret and its part after the last
 * underscore. Both are also hidden if they are URL-encoded or in base64, even inside a longer encoded text. Upper and
 * lower case do not matter.
 */
export function redactor(secret: string): (text: string) => string {
  if (secret === '') return (text) => text;
  const part = secret.slice(secret.lastIndexOf('_') + 1);
  const secrets = part.length >= SHORTEST_SECRET_PART ? [secret, part] : [secret];
  const forms = new Set(secrets.flatMap((s) => [s, encoded(s), ...base64Forms(s)]));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(literally).join('|'), 'gi');
  const shortest = Math.min(...longestFirst.map(({ length }) => length));
  // A quick check: most strings in an answer are shorter than any form of the secret.
  return (text) => (text.length < shortest ? text : text.replace(pattern, REDACTED));
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function encoded(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}

/**
 * Returns the base64 characters that depend only on the secret, in three forms. Base64 encodes three bytes at a time,
 * and the secret can start at any of the three.
 */
function base64Forms(secret: string): string[] {
  const forms = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(first, end);
  });
  return forms
    .filter((form) => form.length >= SHORTEST_SECRET_PART)
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
