import { expect, test } from 'vitest';
import { describeCoverage } from '../../../sandbox/demo/describe-coverage.ts';

test('the coverage line counts a file in an unknown language only in the search for credentials', () => {
  expect(describeCoverage({ filesRead: 4, codeFilesRead: 0, filesSkipped: 0 })).toMatch(
    /searched the code of 0 of 4 changed files for vulnerabilities, and 4 for credentials\. The verdict does not cover the rest\. It is not a real scanner/,
  );
});

test('the coverage line counts skipped files', () => {
  expect(describeCoverage({ filesRead: 3, codeFilesRead: 2, filesSkipped: 1 })).toContain(
    'the code of 2 of 4 changed files for vulnerabilities, and 3 for credentials. It skipped 1: binary or too large. The verdict',
  );
});

test('the coverage line always states that the fake service is not a real scanner', () => {
  expect(describeCoverage({ filesRead: 1, codeFilesRead: 1, filesSkipped: 0 })).toContain(
    'the code of 1 of 1 changed file for vulnerabilities, and 1 for credentials. It is not a real scanner',
  );
});

test('without a completed scan, the coverage line counts no files', () => {
  const text = describeCoverage(undefined);
  expect(text).toContain('It is not a real scanner');
  expect(text).not.toContain('changed file');
});
