import { createHmac } from 'node:crypto';

/** A `v1` mark, as the version that wrote them made it. */
export function legacyMarkOf(scanId: string, key: string, apiToken: string): string {
  const mac = createHmac('sha256', apiToken)
    .update(JSON.stringify([scanId, key]))
    .digest('hex');
  return `v1:${encodeURIComponent(scanId)}:${key}:${mac}`;
}
