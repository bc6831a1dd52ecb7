import { notBundled } from './not-bundled.js';

export const BearerCredentialHandler = notBundled('BearerCredentialHandler');
