import type { OtherJobs } from './other-jobs.ts';
import type { Act } from './timeline.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The members of a finding in the list. The list shows no texts, so the details are read. */
export const finding = (id: string, severity: string, extra: Fields = {}): Fields => ({
  id,
  severity,
  title: `Title of ${id}`,
  triageStatus: 'PENDING',
  confirmationEvidence: null,
  filePath: 'src/a.js',
  ...extra,
});
/** So many findings of one severity, each on its own line. */
export const many = (count: number, severity: string, extra: Fields = {}): readonly Fields[] =>
  Array.from({ length: count }, (_, index) =>
    finding(`${severity}-${index}`, severity, { startLine: index + 1, ...extra }),
  );

/** The service lists these findings of the scan. */
export const listing =
  (findings: readonly Fields[]): Act =>
  (_jobs, { path }) => {
    const query = new URL(path, 'http://service.test').searchParams;
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)];
    const items = findings.slice((page - 1) * limit, page * limit);
    return { status: 200, body: { items, page, limit, total: findings.length } };
  };

export const idOf = (path: string) => decodeURIComponent(/\/findings\/([^/?]+)$/.exec(path)?.[1] ?? '');
/** The details of the finding that the run asks for. */
export const detail =
  (extra: Fields = {}): Act =>
  (_jobs: OtherJobs, { path }) => ({
    status: 200,
    body: { finding: { id: idOf(path), description: `about ${idOf(path)}`, ...extra } },
  });
