import { describe } from 'vitest';
import { beginSession } from './session.ts';
import { access } from './topics/access.ts';
import { auditAreas, unmappedAreas } from './topics/audit-areas.ts';
import { contract } from './topics/contract.ts';
import { findings } from './topics/findings.ts';
import { launching } from './topics/launching.ts';
import { publishing } from './topics/publishing.ts';
import { rateLimit } from './topics/rate-limit.ts';
import { repository } from './topics/repository.ts';
import { scanning } from './topics/scanning.ts';
import { triage } from './topics/triage.ts';

// This client was written from the service's document alone, without the code of the sandbox and the action. It uses
// the sandbox as a stranger would. If the client and the sandbox disagree, one of them misreads the document.
describe("a client that knows only the service's document", () => {
  const session = beginSession();
  contract(session);
  access(session);
  repository(session);
  unmappedAreas(session);
  launching(session);
  scanning(session);
  findings(session);
  auditAreas(session);
  triage(session);
  publishing(session);
  rateLimit(session);
});
