import { html, type Markup } from '../../markup.ts';

/**
 * Text as it was written, with its line breaks; of markdown only code is set apart, so that nothing in it can be a
 * link, a picture or an element.
 */
export function prose(text: string, style = ''): Markup {
  const blocks = text.split(/^(```[^\n]*\n[\s\S]*?\n```)$/m).filter((block) => block.trim() !== '');
  return html`<div class="text ${style}">${blocks.map(block)}</div>`;
}

function block(text: string): Markup {
  const [, code] = /^```[^\n]*\n([\s\S]*?)\n```$/.exec(text) ?? [];
  return code === undefined
    ? html`<p>${text
        .trim()
        .split(/(`[^`\n]+`)/)
        .map(span)}</p>`
    : html`<pre>${code}</pre>`;
}

function span(text: string): Markup {
  return /^`[^`\n]+`$/.test(text) ? html`<code>${text.slice(1, -1)}</code>` : html`${text}`;
}
