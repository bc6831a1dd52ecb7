/** HTML that is safe to show, because all foreign text in it is escaped. */
export interface Markup {
  readonly html: string;
}

type Value = string | number | Markup | readonly Markup[];

/** Builds HTML from a template. Strings and numbers are escaped. Markup stays as it is. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { html: String.raw({ raw: strings }, ...values.map(textOf)) };
}

export const NO_MARKUP: Markup = { html: '' };

function textOf(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
