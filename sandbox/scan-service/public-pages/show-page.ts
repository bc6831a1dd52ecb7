import type { Answer } from '../../faults/interception.ts';
import { html, NO_MARKUP } from '../../markup.ts';
import type { Publication } from '../records.ts';
import type { ServiceState } from '../state.ts';
import { findingPage } from './finding-page.ts';
import { page } from './page.ts';
import { checkPassword, type PasswordCheck } from './password-check.ts';
import { scanPage } from './scan-page.ts';

/** A request for a public page, which needs no token. */
export interface PageRequest {
  readonly method: string;
  readonly kind: Publication['kind'];
  readonly publicId: string;
  /** The password from the form. Undefined if the form was not sent. */
  readonly password: string | undefined;
}

/** Shows the page of a published scan or finding. Asks for a password if the page has one. */
export function showPublicPage(state: ServiceState, request: PageRequest): Answer {
  const { method, kind, publicId, password } = request;
  if (!['GET', 'HEAD', 'POST'].includes(method)) {
    return page(405, 'Method not allowed', html`<p>This page is read-only.</p>`, {
      allow: 'GET, HEAD, POST',
    });
  }
  const publication = state.publications.find((one) => one.kind === kind && one.publicId === publicId);
  if (publication === undefined) {
    return page(404, 'Not found', html`<p>This page does not exist. Check that the link is complete.</p>`);
  }
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
