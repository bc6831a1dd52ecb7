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

// A client that was written from the service's document alone, apart from the sandbox and from the action, uses the
// sandbox as a stranger would. What both agree on is what the document says, not what one of us took it to say.
describe('a client that knows only the document', () => {
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
