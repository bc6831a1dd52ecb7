import { pathSegment } from './opaque-id.ts';

/** The address of a scan's public page: next to the API, with the path from the contract. This is an assumption. */
export function publicScanPage(baseUrl: string, publicId: string): string {
  return `${baseUrl.replace(/\/api\/v1$/, '')}/public/scans/${pathSegment(publicId)}`;
}
