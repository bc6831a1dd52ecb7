import { GraphQLError } from 'graphql';

/** Makes an error for the list of errors in the answer, with the type that GitHub would use. */
export function graphqlFault(type: string, message: string): GraphQLError {
  const fault = new GraphQLError(message, { extensions: { type } });
  // No answer shows the stack trace. Node.js takes longer to write it than the fake takes to answer.
  return Object.defineProperty(fault, 'stack', { value: undefined });
}
