import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 of a text with the API token: 43 characters of base64url. */
export function macOf(text: string, apiToken: string): string {
  return createHmac('sha256', apiToken).update(text).digest('base64url');
}

/** Was this MAC made of this text with this token? An empty token proves nothing: it is no secret. */
export function isMacOf(mac: string, text: string, apiToken: string): boolean {
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(text, apiToken))];
  return apiToken !== '' && given.length === expected.length && timingSafeEqual(given, expected);
}
