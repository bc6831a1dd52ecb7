import { html, type Markup } from '../../markup.ts';

/**
 * Renders foreign text with its line breaks. The only Markdown that it renders is code. So the text adds no links,
 * pictures or elements to the page.
 */
export function renderUntrustedText(text: string, style = ''): Markup {
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
