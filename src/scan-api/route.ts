/** What the service's paths hold beside ids. */
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

/** The form of a path, without its ids and its query. What is not known to be a word is taken for an id. */
export function routeOf(path: string): string {
  const [plain = ''] = path.split('?');
  return plain
    .split('/')
    .map((segment) => (segment === '' || FIXED_SEGMENTS.has(segment) ? segment : '{id}'))
    .join('/');
}
