/** The segments of the service's paths that are not ids. */
const FIXED_SEGMENTS = new Set([
  'cancel',
  'findings',
  'projects',
  'publish',
  'repositories',
  'resolution',
  'scan-presets',
  'scans',
  'token',
]);

/**
 * Removes the ids and the query from a path, for the log. Every segment that is not in `FIXED_SEGMENTS` counts as an
 * id.
 */
export function routeOf(path: string): string {
  const [plain = ''] = path.split('?');
  return plain
    .split('/')
    .map((segment) => (segment === '' || FIXED_SEGMENTS.has(segment) ? segment : '{id}'))
    .join('/');
}
