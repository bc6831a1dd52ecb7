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

/** The path without its ids and its query, for the log. Every segment that is not in the list above counts as an id. */
export function routeOf(path: string): string {
  const [plain = ''] = path.split('?');
  return plain
    .split('/')
    .map((segment) => (segment === '' || FIXED_SEGMENTS.has(segment) ? segment : '{id}'))
    .join('/');
}
