import type { SgNode } from '@ast-grep/napi';
import { hostFromRequest } from '../addresses.ts';
import { importedFunction } from '../imports.ts';
import { argumentsOf, MENTIONS_REQUEST } from '../request-source.ts';
import { type CodeRule, callsNamed } from './code-rule.ts';
import { fromRequest } from './from-request.ts';

const CLIENTS = /^(?:axios|got|http|https|needle|node-fetch|request|superagent|undici)$/;
const SENDS = /^(?:delete|fetch|get|head|patch|post|put|stream)$/;
const ADDRESS_KEY = /^["']?(?:baseURL|host|hostname|uri|url)["']?$/;

export const serverSideRequestForgery: CodeRule = {
  id: 'server-side-request-forgery',
  cwe: 'CWE-918',
  severity: 'HIGH',
  title: 'Request sent to a host that the sender names',
  description:
    'A part of the request decides which host this program connects to. The sender reaches what only this program can: internal services, and the metadata service of the cloud with its credentials.',
  recommendedFix:
    'Choose the host from a fixed list, and put only the path or the query together from the request, encoded with `encodeURIComponent`.',
  needs: MENTIONS_REQUEST,
  // Some HTTP clients are a single function. A program usually calls the function by the name of the client, such as
  // `got`.
  matcher: { rule: { any: [callsNamed(SENDS), callsNamed(CLIENTS)] } },
  inspect(match) {
    for (const address of addressesOf(match)) {
      const source = hostFromRequest(address);
      if (source !== undefined && sendsRequest(match)) return fromRequest(address, source, 'The host');
    }
    return undefined;
  },
};

function sendsRequest(call: SgNode): boolean {
  const imported = importedFunction(call);
  if (imported !== undefined) return CLIENTS.test(imported.module);
  return /^(?:globalThis\.)?fetch$/.test(call.field('function')?.text() ?? '');
}

/** Returns the first argument. If it is an object, returns the address in this object. */
function addressesOf(call: SgNode): SgNode[] {
  const [first] = argumentsOf(call);
  if (first === undefined) return [];
  if (!first.is('object')) return [first];
  return first.namedChildren().flatMap((pair) => {
    const value = ADDRESS_KEY.test(pair.field('key')?.text() ?? '') ? pair.field('value') : null;
    return value === null ? [] : [value];
  });
}
