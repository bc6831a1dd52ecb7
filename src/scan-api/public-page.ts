import { pathSegment } from './opaque-id.ts';

/**
 * The address of a scan's public page. We assume that the page is on the server of the API, at the path in the
 * contract.
 */
export function publicScanPage(baseUrl: string, publicId: string): string {
  return `${baseUrl.replace(/\/api\/v1$/, '')}/public/scans/${pathSegment(publicId)}`;
}
