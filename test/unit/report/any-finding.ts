import fc from 'fast-check';
import { hostileText } from './hostile.ts';
import type { SampleFinding } from './sample-report.ts';

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

/** The members of a finding that are withheld from public outputs. The verdict does not depend on them. */
export const anyTexts = fc.record({
  id: maybe(hostileText),
  title: hostileText,
  cwe: maybe(fc.nat({ max: 99_999 })),
  location: maybe(
    fc.record({
      path: fc.oneof(hostileText, fc.constant('src/ä b#?%:c.ts')),
      startLine: maybe(fc.integer({ min: -2 })),
      endLine: maybe(fc.integer({ min: -2 })),
    }),
  ),
  url: maybe(
    fc.oneof(
      hostileText,
      hostileText.map((text) => `https://scan.example/${text}`),
    ),
  ),
  description: maybe(hostileText),
  recommendedFix: maybe(hostileText),
  proofOfConcept: maybe(hostileText),
  triage: fc.oneof(fc.constantFrom('CONFIRMED', 'PENDING'), hostileText),
  evidence: fc.oneof(fc.constantFrom('POC', 'ANALYSIS', null, undefined), hostileText),
}) satisfies fc.Arbitrary<SampleFinding>;

/** Members of a finding as a hostile or newer service writes them. */
export const anyFinding = fc
  .tuple(
    anyTexts,
    fc.record({
      word: fc.oneof(fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'), hostileText),
      resolution: fc.oneof(fc.constantFrom('NOT_STARTED', 'RESOLVED', 'MITIGATED', undefined), hostileText),
    }),
  )
  .map(([texts, judged]) => ({ ...texts, ...judged })) satisfies fc.Arbitrary<SampleFinding>;
