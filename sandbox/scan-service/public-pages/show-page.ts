import type { Answer } from '../../faults/interception.ts';
import { html, NO_MARKUP } from '../../markup.ts';
import type { RawRequest } from '../exchanges.ts';
import type { Publication } from '../records.ts';
import type { ServiceState } from '../state.ts';
import { findingPage } from './finding-page.ts';
import { page } from './page.ts';
import { checkPassword, type PasswordCheck } from './password-check.ts';
import { scanPage } from './scan-page.ts';

/**
 * Shows the page of a published scan or finding. Needs no token. Asks for a password if the page has one: the form is
 * sent by POST.
 */
export function showPublicPage(
  state: ServiceState,
  { kind, publicId }: Pick<Publication, 'kind' | 'publicId'>,
  { method, text }: Pick<RawRequest, 'method' | 'text'>,
): Answer {
  if (!['GET', 'HEAD', 'POST'].includes(method)) {
    return page(405, 'Method not allowed', html`<p>This page is read-only.</p>`, {
      allow: 'GET, HEAD, POST',
    });
  }
  const publication = state.publications.find((one) => one.kind === kind && one.publicId === publicId);
  if (publication === undefined) {
    return page(404, 'Not found', html`<p>This page does not exist. Check that the link is complete.</p>`);
  }
  const password = new URLSearchParams(method === 'POST' ? text : '').get('password') ?? undefined;
  const check = checkPassword(publication, password, state.now());
  if (check.state !== 'open') return passwordPage(check);
  return kind === 'scan' ? scanPage(state, publication) : findingPage(state, publication);
}

function passwordPage(check: Exclude<PasswordCheck, { state: 'open' }>): Answer {
  const fault =
    check.state === 'closed'
      ? NO_MARKUP
      : html`<p class="fault" role="alert">${
          check.state === 'wrong'
            ? 'Wrong password. Ask the person who sent you this link for the password.'
            : `Too many attempts. Try again in ${check.waitSeconds} seconds.`
        }</p>`;
  const body = html`<p>This page is protected by a password.</p>
${fault}<form method="post">
<label for="password">Password</label>
<input id="password" type="password" name="password" required autofocus autocomplete="off">
<button>Show page</button>
</form>`;
  const status = { closed: 401, wrong: 403, 'too-many': 429 }[check.state];
  const headers = check.state === 'too-many' ? { 'retry-after': String(check.waitSeconds) } : {};
  return page(status, 'Password required', body, headers);
}
