import { GraphQLError } from 'graphql';

/** Makes an error for the list of errors in the answer, with the type that GitHub would use. */
export function graphqlFault(type: string, message: string): GraphQLError {
  const fault = new GraphQLError(message, { extensions: { type } });
  // No answer shows the stack trace, and Node.js would take longer to write it than the fake takes for the whole
  // answer.
  return Object.defineProperty(fault, 'stack', { value: undefined });
}
