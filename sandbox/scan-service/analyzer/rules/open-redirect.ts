import type { SgNode } from '@ast-grep/napi';
import { hostFromRequest } from '../addresses.ts';
import { calledName } from '../imports.ts';
import { argumentsOf, MENTIONS_REQUEST } from '../request-source.ts';
import { type CodeRule, callsNamed } from './code-rule.ts';
import { fromRequest } from './from-request.ts';

const SETS_HEADER = /^(?:setHeader|header|set|location)$/;

export const openRedirect: CodeRule = {
  id: 'open-redirect',
  cwe: 'CWE-601',
  severity: 'MEDIUM',
  title: 'Redirect to an address that the sender names',
  description:
    'A part of the request decides which site the browser is sent to. A link that begins with the address of this site then leads to another one, which can ask for passwords in its name.',
  recommendedFix:
    'Redirect to paths of this site only: choose them from a list, or refuse what does not start with a single `/`.',
  needs: MENTIONS_REQUEST,
  matcher: { rule: { any: [callsNamed(/^redirect$/), callsNamed(SETS_HEADER)] } },
  inspect(match) {
    const address = addressOf(match);
    const source = address === undefined ? undefined : hostFromRequest(address);
    // An address from a header is not a finding, because a link cannot set headers. The browser sets them: `Referer`
    // to the page with the link, and `Host` to this site.
    return address === undefined || source?.isHeader === true
      ? undefined
      : fromRequest(address, source, 'The address');
  },
};

function addressOf(call: SgNode): SgNode | undefined {
  const callee = call.field('function');
  const [first, second] = argumentsOf(call);
  const method = calledName(call);
  // Express takes the status before the address. The Fetch API takes it after the address.
  if (method === 'redirect') return first?.is('number') === true ? second : first;
  if (callee?.is('member_expression') !== true) return undefined;
  if (method === 'location') return first;
  return /^["'`]location["'`]$/i.test(first?.text() ?? '') ? second : undefined;
}
