import { pathSegment } from './opaque-id.ts';

/** Where the public page of a scan is: beside the API, under the path that the contract names. An assumption. */
export function publicScanPage(baseUrl: string, publicId: string): string {
  return `${baseUrl.replace(/\/api\/v1$/, '')}/public/scans/${pathSegment(publicId)}`;
}
