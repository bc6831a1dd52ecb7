import { notBundled } from './not-bundled.js';

/** @actions/github sends with it what names no `fetch`. Our requests name Node's. */
export const fetch = notBundled('fetch of undici');
