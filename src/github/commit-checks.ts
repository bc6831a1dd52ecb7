import * as v from 'valibot';
import { CommitId } from './object-id.ts';

/** The external ids of all check runs on a commit. They are foreign text. */
export interface CommitChecks {
  readonly headSha: string;
  readonly externalIds: readonly string[];
}

/**
 * The fields of a GraphQL query for all check runs on the commit `$previous`. GitHub returns them only if
 * `$withPrevious` is true.
 */
export const PREVIOUS_CHECKS = `previous: object(oid: $previous) @include(if: $withPrevious) {
      ... on Commit {
        oid
        checkSuites(first: 50) {
          pageInfo { hasNextPage }
          nodes {
            checkRuns(first: 100, filterBy: { checkType: ALL }) {
              pageInfo { hasNextPage }
              nodes { externalId }
            }
          }
        }
      }
    }`;

const PageInfo = v.object({ hasNextPage: v.boolean() });
const CheckRuns = v.object({
  pageInfo: PageInfo,
  nodes: v.array(v.object({ externalId: v.nullish(v.string(), '') })),
});
/** Rejects incomplete data, because a missing check run could have a mark. */
export const PreviousChecks = v.object({
  oid: CommitId,
  checkSuites: v.object({ pageInfo: PageInfo, nodes: v.array(v.object({ checkRuns: CheckRuns })) }),
});

/** Returns the check runs, or undefined if the answer does not contain all of them. */
export function allChecks({
  oid,
  checkSuites,
}: v.InferOutput<typeof PreviousChecks>): CommitChecks | undefined {
  const runs = checkSuites.nodes.map(({ checkRuns }) => checkRuns);
  if ([checkSuites, ...runs].some(({ pageInfo }) => pageInfo.hasNextPage)) return undefined;
  return {
    headSha: oid,
    externalIds: runs.flatMap(({ nodes }) => nodes.map(({ externalId }) => externalId)),
  };
}

const AboutPrevious = v.object({ path: v.looseTuple([v.literal('repository'), v.literal('previous')]) });

/** Returns the errors that do not concern the check runs; undefined if there are none. */
export function otherErrors(errors: unknown): unknown {
  if (!Array.isArray(errors)) return errors;
  const others = errors.filter((error) => !v.is(AboutPrevious, error));
  return others.length === 0 && errors.length > 0 ? undefined : others;
}
