import { describe, expect, test } from 'vitest';
import { DOCUMENTED } from './documented-endpoints.ts';
import { beginSession } from './session.ts';
import { access } from './topics/access.ts';
import { auditAreas } from './topics/audit-areas.ts';
import { contract } from './topics/contract.ts';
import { findings } from './topics/findings.ts';
import { launching } from './topics/launching.ts';
import { publishing } from './topics/publishing.ts';
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
  launching(session);
  scanning(session);
  findings(session);
  auditAreas(session);
  triage(session);
  publishing(session);

  test('the tests of the client called every documented endpoint successfully', () => {
    const answered = [...session().client.answered].sort();
    expect(answered, 'a test in topics calls each of documented-endpoints.ts').toEqual(
      [...DOCUMENTED].sort(),
    );
  });
});
