import { readFileSync } from 'node:fs';
import { html, type Markup } from '../markup.ts';

/** One HTML file without scripts that loads nothing. */
export function page(title: string, body: Markup): string {
  const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title>
<style>
${{ html: style }}
</style>
</head>
<body>
${body}
</body>
</html>
`.html;
}

/** The page contains foreign text. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
