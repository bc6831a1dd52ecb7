import { expect, test } from 'vitest';
import { routeOf } from '../../../src/scan-api/route.ts';

test.each([
  ['/token', '/token'],
  ['/projects/prj_1/scans?page=1&limit=100', '/projects/{id}/scans'],
  ['/projects/prj_1/scans/scan_secret/cancel', '/projects/{id}/scans/{id}/cancel'],
  ['/projects/prj_1/scan-presets', '/projects/{id}/scan-presets'],
  ['/projects/prj_1/findings/fnd_1', '/projects/{id}/findings/{id}'],
  ['/anything/else?token=secret', '/{id}/{id}'],
])('routeOf leaves out the ids and the query of %s', (path, route) => {
  expect(routeOf(path)).toBe(route);
});
