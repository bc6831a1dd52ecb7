import { codeInjection } from './code-injection.ts';
import type { CodeRule } from './code-rule.ts';
import { commandInjection } from './command-injection.ts';
import { crossSiteScripting } from './cross-site-scripting.ts';
import { disabledTlsVerification } from './disabled-tls-verification.ts';
import { hardCodedCredential } from './hard-coded-credential.ts';
import { openRedirect } from './open-redirect.ts';
import { pathTraversal } from './path-traversal.ts';
import { prototypePollution } from './prototype-pollution.ts';
import { serverSideRequestForgery } from './server-side-request-forgery.ts';
import { sqlInjection } from './sql-injection.ts';
import { unsafeDeserialization } from './unsafe-deserialization.ts';
import { weakHash } from './weak-hash.ts';
import { weakRandom } from './weak-random.ts';

/** The rules for JavaScript and TypeScript. To add a rule, add a file in this folder and a line here. */
export const CODE_RULES: readonly CodeRule[] = [
  commandInjection,
  sqlInjection,
  codeInjection,
  unsafeDeserialization,
  pathTraversal,
  serverSideRequestForgery,
  crossSiteScripting,
  prototypePollution,
  hardCodedCredential,
  openRedirect,
  disabledTlsVerification,
  weakRandom,
  weakHash,
];
