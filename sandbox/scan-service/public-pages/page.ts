import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Answer } from '../../faults/interception.ts';
import { html, type Markup } from '../../markup.ts';

/**
 * Builds a whole page. The page loads and runs nothing. Browsers do not cache it, and search engines do not list it.
 */
export function page(
  status: number,
  title: string,
  body: Markup,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');
  const styleHash = createHash('sha256').update(style).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1><bdi>${title}</bdi></h1>
${body}
</main>
<footer>Made by a fake scanning service. Its small analyzer is not a real scanner.</footer>
</body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      ...headers,
    },
    body: document.html,
  };
}
