import { describe } from 'vitest';
import { access } from './chapters/access.ts';
import { auditAreas, unmappedAreas } from './chapters/audit-areas.ts';
import { contract } from './chapters/contract.ts';
import { epilogue } from './chapters/epilogue.ts';
import { findings } from './chapters/findings.ts';
import { launching } from './chapters/launching.ts';
import { publishing } from './chapters/publishing.ts';
import { repository } from './chapters/repository.ts';
import { scanning } from './chapters/scanning.ts';
import { triage } from './chapters/triage.ts';
import { beginStory } from './story.ts';

// A client that was written from the service's document alone, apart from the sandbox and from the action, uses the
// sandbox as a stranger would. What both agree on is what the document says, not what one of us took it to say.
describe('a client that knows only the document', () => {
  const story = beginStory();
  contract(story);
  access(story);
  repository(story);
  unmappedAreas(story);
  launching(story);
  scanning(story);
  findings(story);
  auditAreas(story);
  triage(story);
  publishing(story);
  epilogue(story);
});
