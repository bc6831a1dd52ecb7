import { notBundled } from './not-bundled.js';

/** @actions/github uses this function for requests that name no `fetch`. All our requests name that of Node.js. */
export const fetch = notBundled('fetch of undici');
