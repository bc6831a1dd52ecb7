import { GraphQLError } from 'graphql';

/** Makes an error for the list of errors in the answer, with the type that GitHub would use. */
export function graphqlFault(type: string, message: string): GraphQLError {
  const fault = new GraphQLError(message, { extensions: { type } });
  // The executor would read the stack trace, and it takes longer to write one than to answer. No answer shows it.
  return Object.defineProperty(fault, 'stack', { value: undefined });
}
