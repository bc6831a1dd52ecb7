import { notBundled } from './not-bundled.js';

/** @actions/github uses it to send requests that name no `fetch`. Our requests name Node's. */
export const fetch = notBundled('fetch of undici');
