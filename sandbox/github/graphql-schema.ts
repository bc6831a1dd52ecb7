import { buildSchema, type GraphQLSchema } from 'graphql';

/** The fields of GitHub's schema that the action asks for, and some more fields of the same types. */
const SCHEMA = `
scalar BigInt
scalar DateTime
scalar GitObjectID
scalar URI

type Query {
  viewer: User!
  repository(owner: String!, name: String!): Repository
}
interface Actor { login: String! }
type User implements Actor { login: String! }
type Bot implements Actor { login: String! }
type Repository {
  nameWithOwner: String!
  isPrivate: Boolean!
  visibility: RepositoryVisibility!
  pullRequest(number: Int!): PullRequest
  pullRequests(states: [PullRequestState!], orderBy: IssueOrder, first: Int, after: String): PullRequestConnection!
  mergeQueue(branch: String): MergeQueue
  object(oid: GitObjectID): GitObject
}
enum MergeQueueMergingStrategy { ALLGREEN HEADGREEN }
type MergeQueue { configuration: MergeQueueConfiguration }
type MergeQueueConfiguration { mergingStrategy: MergeQueueMergingStrategy }
enum RepositoryVisibility { INTERNAL PRIVATE PUBLIC }
enum PullRequestState { OPEN CLOSED MERGED }
enum IssueOrderField { CREATED_AT UPDATED_AT COMMENTS }
enum OrderDirection { ASC DESC }
input IssueOrder { field: IssueOrderField! direction: OrderDirection! }
type PullRequestConnection { pageInfo: PageInfo! nodes: [PullRequest] }
type PullRequest {
  number: Int!
  headRefOid: GitObjectID!
  baseRefName: String!
  baseRef: Ref
  commits(first: Int, last: Int): PullRequestCommitConnection
  updatedAt: DateTime!
  state: PullRequestState!
  comments(first: Int, after: String): IssueCommentConnection!
}
interface GitObject { oid: GitObjectID! }
type Ref { name: String! target: GitObject }
type Commit implements GitObject {
  oid: GitObjectID!
  tree: Tree!
  checkSuites(first: Int, filterBy: CheckSuiteFilter): CheckSuiteConnection
}
input CheckSuiteFilter { checkName: String }
type CheckSuiteConnection { pageInfo: PageInfo! nodes: [CheckSuite] }
type CheckSuite { checkRuns(first: Int, filterBy: CheckRunFilter): CheckRunConnection }
enum CheckRunType { ALL LATEST }
input CheckRunFilter { checkName: String checkType: CheckRunType }
type CheckRunConnection { pageInfo: PageInfo! nodes: [CheckRun] }
type CheckRun {
  databaseId: Int
  name: String!
  externalId: String
  status: CheckStatusState!
  conclusion: CheckConclusionState
}
enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
enum CheckConclusionState {
  ACTION_REQUIRED CANCELLED FAILURE NEUTRAL SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT
}
type Tree implements GitObject { oid: GitObjectID! }
type PullRequestCommitConnection { nodes: [PullRequestCommit] }
type PullRequestCommit { commit: Commit! }
type IssueCommentConnection { totalCount: Int! pageInfo: PageInfo! nodes: [IssueComment] }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type IssueComment {
  fullDatabaseId: BigInt
  url: URI!
  body: String!
  createdAt: DateTime!
  updatedAt: DateTime!
  author: Actor
}
`;

let schema: GraphQLSchema | undefined;

export function githubSchema(): GraphQLSchema {
  schema ??= buildSchema(SCHEMA);
  return schema;
}
