import { expect, test } from 'vitest';
import { expectStory } from './expect-story.ts';
import { MERGE_BASE } from './repository.ts';
import { tell } from './story.ts';

test('a clean change passes: one paid scan of exactly the change', async () => {
  const story = await tell({ head: 'clean' });
  expectStory(story, {
    outcome: 'passed',
    exitCode: 0,
    conclusion: 'success',
    launches: 1,
    says: ['Passed: no findings', 'The scan of this change completed and found nothing.'],
  });
  const { repository, run, stage, headSha } = story;
  expect(run.outputs).toMatchObject({
    'base-commit': repository.id(MERGE_BASE),
    'head-commit': headSha,
    'findings-total': '0',
    'highest-severity': '',
    'credits-reserved': '20',
    'scan-reused': 'false',
    'comment-url': '',
  });
  expect(stage.service.scans()).toMatchObject([
    { baseCommit: repository.id(MERGE_BASE), commit: headSha, status: 'COMPLETED' },
  ]);
  expect(stage.github.comments).toEqual([]);
});
