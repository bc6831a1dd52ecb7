import { GraphQLError } from 'graphql';

/** Makes an error for the list of errors in the answer, with the type that GitHub would use. */
export function graphqlFault(type: string, message: string): GraphQLError {
  const fault = new GraphQLError(message, { extensions: { type } });
  // Leaves out the stack trace, which no answer shows. Node.js would need more time for it than the fake needs for the
  // whole answer.
  return Object.defineProperty(fault, 'stack', { value: undefined });
}
