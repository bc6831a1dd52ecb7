const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Makes Node verify the certificate of every server. Removes the variable that switches this off. Node reads it again
 * for each connection, so call this before the first request.
 * @returns a sentence for the log if the variable had switched the verification off; otherwise undefined
 */
export function verifyCertificates(env: NodeJS.ProcessEnv): string | undefined {
  const isOff = env[VARIABLE] === '0';
  delete env[VARIABLE];
  return isOff ? IGNORED : undefined;
}

const IGNORED = `\`${VARIABLE}\` is ignored, because Scangate always verifies certificates. If a server has a certificate of your own authority, set \`NODE_EXTRA_CA_CERTS\` to the file of that authority.`;
