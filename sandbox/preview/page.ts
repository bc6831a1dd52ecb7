import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { html, type Markup } from '../markup.ts';

/** GitHub's style sheet for Markdown. Everything that is not Markdown has our own style. */
const MARKDOWN_CSS = createRequire(import.meta.url).resolve('github-markdown-css');
const OWN_CSS = new URL('./page.css', import.meta.url);

/** Builds one HTML file without scripts. It loads no other file. */
export function page(title: string, body: Markup): string {
  const style = [MARKDOWN_CSS, OWN_CSS].map((file) => readFileSync(file, 'utf8')).join('\n');
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

/** The page contains foreign text, so its content security policy allows no scripts and no requests. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
