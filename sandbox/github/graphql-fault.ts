import { GraphQLError } from 'graphql';

/** Makes an error for a GraphQL answer. `type` is the type that GitHub uses for such an error. */
export function graphqlFault(type: string, message: string): GraphQLError {
  const fault = new GraphQLError(message, { extensions: { type } });
  // No answer shows the stack trace. It is removed, because Node.js takes much time to format it.
  return Object.defineProperty(fault, 'stack', { value: undefined });
}
