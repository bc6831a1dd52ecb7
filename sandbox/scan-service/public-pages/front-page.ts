import type { Answer } from '../../faults/interception.ts';
import { html } from '../../markup.ts';
import { page } from './page.ts';

/**
 * The page at the root address of the fake service. It says what the service is, and where its API is. The token is
 * only in the terminal, not on this page.
 */
export function frontPage(addresses: { readonly baseUrl: string; readonly contract: string }): Answer {
  return page(
    200,
    'Fake scanning service',
    html`<p>For developers of clients of the service. It answers API requests and shows published pages.</p>
<dl>
<dt>Base URL</dt><dd><code>${addresses.baseUrl}</code></dd>
<dt>Contract</dt><dd><a href="${addresses.contract}">${addresses.contract}</a> (OpenAPI 3.1)</dd>
<dt>Token</dt><dd>Printed in the terminal that started this. Send it as <code>Authorization: Bearer</code>.</dd>
</dl>`,
  );
}
