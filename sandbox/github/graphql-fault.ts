import { GraphQLError } from 'graphql';

/** One of the errors that accompany the data, with GitHub's own type. */
export function graphqlFault(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}
