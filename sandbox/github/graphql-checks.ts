import { type CheckRunRecord, latestOf } from './check-runs.ts';

interface Filter {
  readonly checkName?: string | null;
  readonly checkType?: 'ALL' | 'LATEST' | null;
}

interface Page {
  readonly first?: number | null;
  readonly filterBy?: Filter | null;
}

/**
 * Answers `checkSuites(first, filterBy)` of a commit. There is at most one suite. It belongs to the app of the workflow
 * token.
 */
export function checkSuites({ filterBy }: Page, checkRuns: readonly CheckRunRecord[]): object {
  const ofSuite = named(filterBy, checkRuns);
  return {
    pageInfo: { hasNextPage: false },
    nodes:
      ofSuite.length === 0 ? [] : [{ checkRuns: (page: Page) => runs(page, named(page.filterBy, ofSuite)) }],
  };
}

function runs({ first, filterBy }: Page, all: readonly CheckRunRecord[]): object {
  const wanted = filterBy?.checkType === 'LATEST' ? latestOf(all.toReversed()) : all;
  const page = wanted.slice(0, first ?? 0);
  return {
    pageInfo: { hasNextPage: page.length < wanted.length },
    nodes: page.map(({ id, name, externalId, status, conclusion }) => ({
      databaseId: id,
      name,
      externalId,
      status: status.toUpperCase(),
      conclusion: conclusion?.toUpperCase() ?? null,
    })),
  };
}

function named(filter: Filter | null | undefined, all: readonly CheckRunRecord[]): readonly CheckRunRecord[] {
  const name = filter?.checkName;
  return typeof name === 'string' ? all.filter((run) => run.name === name) : all;
}
