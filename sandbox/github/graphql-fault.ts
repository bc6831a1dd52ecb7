import { GraphQLError } from 'graphql';

/** Makes an error for the list of errors in the answer, with the type that GitHub would use. */
export function graphqlFault(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}
