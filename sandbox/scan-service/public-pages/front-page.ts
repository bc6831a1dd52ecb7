import type { Answer } from '../../faults/interception.ts';
import { html } from '../../markup.ts';
import { page } from './page.ts';

/**
 * What a person sees who opens the stand-in's address in a browser: what this is, and where to go on. It shows no token:
 * whoever started the stand-in has it.
 */
export function frontPage(addresses: { readonly baseUrl: string; readonly contract: string }): Answer {
  return page(
    200,
    'Stand-in of the scanning service',
    html`<p>This is for whoever builds a client of the service. There is nothing to click: it answers API requests, and
shows what was published.</p>
<dl>
<dt>Base URL</dt><dd><code>${addresses.baseUrl}</code></dd>
<dt>Contract</dt><dd><a href="${addresses.contract}">${addresses.contract}</a> (OpenAPI 3.1)</dd>
<dt>Token</dt><dd>Printed in the terminal where this was started; sent as <code>Authorization: Bearer</code>.</dd>
</dl>`,
  );
}
