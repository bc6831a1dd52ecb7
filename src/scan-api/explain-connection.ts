import type { NotScanned } from '../domain/not-scanned.ts';
import type { ConnectionFault } from '../http/connection-error.ts';
import type { Nonsense, Unreachable } from './api-error.ts';

const CHECK_STATUS =
  'Check the status page of the scanning service and run the job again; check also that `base-url` is the address of its API.';

const NONSENSE: Readonly<Record<Nonsense['problem'], { cause: string; nextStep: string }>> = {
  redirect: {
    cause: 'the address answers with a redirect, which is not followed',
    nextStep:
      'Set `base-url` to the final address of the service; a proxy or a login page in between redirects too.',
  },
  oversize: {
    cause: 'the answer is larger than this action reads',
    nextStep: CHECK_STATUS,
  },
  'not-json': {
    cause: 'the answer is not JSON',
    nextStep:
      'Something other than the service seems to answer (a proxy, a login page, a maintenance page). Check that `base-url` ends in `/api/v1` of the service, and the status page of the service.',
  },
  'wrong-shape': {
    cause: 'the answer is not what the contract of version 1 describes',
    nextStep:
      'Check that `base-url` is the address of the service; if it is, tell the maintainers of this action.',
  },
  'shifting-list': {
    cause: 'the list keeps changing while it is read',
    nextStep: 'Run the job again; if it stays so, ask the support of the scanning service.',
  },
};

const UNREACHABLE: Readonly<Record<ConnectionFault, { cause: string; nextStep: string }>> = {
  dns: {
    cause: 'its host name cannot be resolved',
    nextStep: 'Check the spelling of `base-url` and that the runner can resolve that name.',
  },
  refused: {
    cause: 'the connection is refused',
    nextStep: 'Check `base-url` and that a firewall or proxy lets the runner through.',
  },
  'connect-timeout': {
    cause: 'no connection comes about',
    nextStep: 'Check that a firewall or proxy lets the runner reach `base-url` (`HTTPS_PROXY`, `NO_PROXY`).',
  },
  timeout: { cause: 'no complete answer comes in time', nextStep: CHECK_STATUS },
  reset: { cause: 'the connection is cut', nextStep: CHECK_STATUS },
  certificate: {
    cause: 'its certificate cannot be verified',
    nextStep:
      'Where the service or a proxy uses a certificate authority of your own, name its file in the environment variable `NODE_EXTRA_CA_CERTS`; otherwise check `base-url`.',
  },
  proxy: {
    cause: 'the proxy makes no connection to it',
    nextStep:
      'Check `HTTPS_PROXY` and `NO_PROXY` of the runner, and that the proxy runs and allows `base-url`.',
  },
  'proxy-credentials': {
    cause: 'the proxy asks for a name and a password',
    nextStep:
      'Write the right ones into `HTTPS_PROXY` of the runner (`http://name:password@host:port`, special characters percent-encoded), or name the host of `base-url` in `NO_PROXY`.',
  },
  other: { cause: 'the connection fails', nextStep: CHECK_STATUS },
};

export function explainNonsense(error: Nonsense): NotScanned {
  const { cause, nextStep } = NONSENSE[error.problem];
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
    cause: `Could not ${error.operation}: the service is out of reach, because ${cause} (${error.detail}).`,
    nextStep,
  };
}
