import type { NotScanned } from '../domain/not-scanned.ts';
import type { ConnectionFault } from '../http/connection-error.ts';
import type { InvalidAnswer, Unreachable } from './api-error.ts';

const CHECK_STATUS =
  "Check the service's status page, then re-run this job. If it fails again, check `base-url`.";

const INVALID_ANSWERS: Readonly<Record<InvalidAnswer['problem'], { cause: string; nextStep: string }>> = {
  redirect: {
    cause: 'the address redirects, and redirects are not followed',
    nextStep:
      'Set `base-url` to the final address of the service and push. A proxy or a login page can also cause a redirect.',
  },
  oversize: {
    cause: 'the response is too large',
    nextStep: CHECK_STATUS,
  },
  'not-json': {
    cause: 'the response is not JSON',
    nextStep:
      'Check that `base-url` ends in `/api/v1`. A proxy, a login page or a maintenance page may have answered instead of the service.',
  },
  'wrong-shape': {
    cause: "the response does not match version 1 of the service's API",
    nextStep: 'Check `base-url`. If it is correct, please open an issue in the Scangate repository.',
  },
  'shifting-list': {
    cause: 'the list kept changing while Scangate read it',
    nextStep: "Re-run this job. If it fails again, contact the service's support.",
  },
};

const UNREACHABLE: Readonly<Record<ConnectionFault, { cause: string; nextStep: string }>> = {
  dns: {
    cause: 'the host name could not be resolved',
    nextStep: 'Check the spelling of `base-url`, and that the runner can resolve its host name.',
  },
  refused: {
    cause: 'the connection was refused',
    nextStep: 'Check `base-url`, and that a firewall or proxy lets the runner connect.',
  },
  'connect-timeout': {
    cause: 'the connection timed out',
    nextStep:
      'Check that a firewall or proxy lets the runner connect to `base-url` (`HTTPS_PROXY`, `NO_PROXY`).',
  },
  timeout: { cause: 'the request timed out', nextStep: CHECK_STATUS },
  reset: { cause: 'the connection was reset', nextStep: CHECK_STATUS },
  certificate: {
    cause: 'the TLS certificate could not be verified',
    nextStep:
      'If the service or a proxy uses a private certificate authority, set `NODE_EXTRA_CA_CERTS` to its file. Otherwise check `base-url`.',
  },
  proxy: {
    cause: 'the proxy could not connect',
    nextStep: 'Check `HTTPS_PROXY` and `NO_PROXY` of the runner, and that the proxy allows `base-url`.',
  },
  'proxy-credentials': {
    cause: 'the proxy requires a user name and a password',
    nextStep:
      'Set `HTTPS_PROXY` of the runner to `http://name:password@host:port`, percent-encoded, or add the host of `base-url` to `NO_PROXY`.',
  },
  other: { cause: 'the connection failed', nextStep: CHECK_STATUS },
};

export function explainInvalidAnswer(error: InvalidAnswer): NotScanned {
  const { cause, nextStep } = INVALID_ANSWERS[error.problem];
  return {
    reason: 'service-error',
    cause: `Could not ${error.operation}: ${cause} (HTTP ${error.status}, ${error.detail}).`,
    nextStep,
  };
}

export function explainUnreachable(error: Unreachable): NotScanned {
  const { cause, nextStep } = UNREACHABLE[error.cause];
  return {
    reason: 'service-error',
    cause: `Could not ${error.operation}: ${cause} (${error.detail}).`,
    nextStep,
  };
}
