import { expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/finding.ts';
import { readPathPatterns } from '../../../src/domain/path-patterns.ts';
import type { Reason } from '../../../src/domain/result.ts';
import { FAIL_ON_NONE, type FailOn, failOnAt, type GatePolicy, judge } from '../../../src/domain/verdict.ts';
import { type HeadlineFacts, headline, unlistedText } from '../../../src/report/headline.ts';
import { completed, POLICY, sampleFinding, samplePush, sampleTarget } from './sample-report.ts';

const high = sampleFinding();
const unconfirmed = sampleFinding({ triage: 'PENDING', evidence: null });
const analysed = sampleFinding({ evidence: 'ANALYSIS' });
const critical = sampleFinding({ word: 'CRITICAL', triage: 'PENDING', evidence: null });
const medium = sampleFinding({ word: 'MEDIUM' });
const low = sampleFinding({ word: 'LOW' });
const closed = sampleFinding({ resolution: 'WONT_FIX' });
const exempt = sampleFinding({ location: { path: 'docs/a.md', startLine: 1, endLine: 1 } });
const EXEMPTING = { pathsExempt: readPathPatterns('docs/**').patterns };
const CONFIRMED = { failOn: failOnAt('high', 'confirmed') };
const POC = { failOn: failOnAt('high', 'poc') };
const LIST = { failOn: listOf({ critical: 'any', high: 'poc' }) };

function listOf(rules: Readonly<Record<string, string>>, defaultEvidence = 'any'): FailOn {
  return {
    rules: Object.entries(rules).map(([severity, evidence]) => ({ severity, evidence })),
    defaultEvidence,
  } as FailOn;
}

/** By case: the findings, and what differs from the policy of a default run. */
const SCANNED: Readonly<Record<string, readonly [readonly Finding[], Partial<GatePolicy>?]>> = {
  'no findings': [[]],
  'no findings, a list': [[], LIST],
  'closed findings': [[closed, closed]],
  'one finding blocks': [[high, medium]],
  'two findings block': [[high, high]],
  'two findings block at medium': [[high, medium], { failOn: failOnAt('medium') }],
  'one blocks, one is not confirmed': [[high, unconfirmed], CONFIRMED],
  'one blocks, two have no proof': [[high, unconfirmed, analysed], POC],
  'one finding below the gate': [[medium]],
  'three findings below the gate': [[medium, medium, low]],
  'one finding below the threshold': [[low]],
  'below the threshold and exempt': [[low, exempt, exempt, closed], EXEMPTING],
  'below the threshold and closed': [[low, closed]],
  'a severe finding is not confirmed': [[unconfirmed, low], CONFIRMED],
  'a severe finding below the threshold has no proof': [
    [analysed],
    { ...POC, severityThreshold: 'critical' },
  ],
  'nothing can block': [[high, medium], { failOn: FAIL_ON_NONE }],
  'all findings block by a list': [[high, critical], LIST],
  'one finding blocks by a list': [[high, unconfirmed, analysed, medium], LIST],
  'no finding of a list': [[medium], LIST],
  'two findings lack the evidence of a list': [[unconfirmed, analysed, medium], LIST],
  'a list of three severities': [
    [unconfirmed],
    { failOn: listOf({ critical: 'any', high: 'confirmed', low: 'poc' }, 'confirmed') },
  ],
  'only `fail-on` sets the evidence': [[unconfirmed], { failOn: listOf({ high: 'confirmed' }) }],
  'a severe finding is exempt': [[exempt, medium], EXEMPTING],
  'only an exempt finding': [[exempt], EXEMPTING],
  'an exempt finding below the gate': [[exempt], { ...EXEMPTING, failOn: failOnAt('critical') }],
  'exempt, and not confirmed': [[exempt, exempt, unconfirmed], { ...EXEMPTING, ...CONFIRMED }],
  'exempt, by a list': [[exempt], { ...EXEMPTING, ...LIST }],
  'exempt, and nothing can block': [[exempt], { ...EXEMPTING, failOn: FAIL_ON_NONE }],
  'one blocks, two are exempt': [[high, exempt, exempt], EXEMPTING],
  'one blocks, others lack evidence or are exempt': [[high, unconfirmed, exempt], { ...EXEMPTING, ...LIST }],
};

function scanned([findings, policy]: readonly [readonly Finding[], Partial<GatePolicy>?]): HeadlineFacts {
  const whole = { ...POLICY, ...policy };
  return { verdict: judge(completed(findings), whole), policy: whole };
}

function unscanned(reason: Reason, allowUnscanned: readonly Reason[] = []): HeadlineFacts {
  const failure = { reason, cause: 'It is so.', nextStep: 'Do this.' };
  const policy = { ...POLICY, allowUnscanned };
  return { verdict: judge({ kind: 'not-scanned', failure }, policy), policy };
}

const blocked = scanned([[high]]);
const SERVICE = { serviceOrigin: 'https://scan.example' };

const FACTS: Readonly<Record<string, HeadlineFacts>> = {
  ...Object.fromEntries(Object.entries(SCANNED).map(([name, given]) => [name, scanned(given)])),
  'a blocked pull request': { ...blocked, ...SERVICE, target: sampleTarget() },
  'a blocked push': { ...blocked, ...SERVICE, target: samplePush() },
  'nothing changed': { verdict: judge({ kind: 'unchanged' }, POLICY), policy: POLICY },
  'not scanned, the author needs a maintainer': unscanned('insufficient-credits'),
  'not scanned, and allowed': unscanned('timeout', ['timeout']),
  'no token': unscanned('missing-token'),
  'a token is missing, which is allowed': unscanned('missing-token', ['missing-token']),
  'an untrusted fork': unscanned('untrusted-fork'),
  'a superseded run': unscanned('superseded'),
  'a closed pull request': {
    ...unscanned('unsupported-event'),
    target: sampleTarget({ pullRequest: { state: 'closed' } }),
  },
  'a reopened pull request': {
    ...unscanned('unsupported-event'),
    target: sampleTarget({ pullRequest: { state: 'reopened' } }),
  },
  'an event without a pull request': { ...unscanned('unsupported-event'), target: samplePush() },
};

test('the headline counts what blocks and why the rest does not, and has the cause and the next step', async () => {
  const fix = headline(blocked).nextStep;
  const shown = Object.entries(FACTS).flatMap(([name, facts]) => {
    const { text, cause, nextStep } = headline(facts);
    const unlisted = unlistedText(facts);
    // Every blocked change has the same advice. It is whole where the reader or the service is known.
    const next = facts.serviceOrigin === undefined ? nextStep.replace(fix, 'Push a fix ….') : nextStep;
    return [
      `${name}: ${text}`,
      ...(cause === undefined ? [] : [`  why: ${cause}`]),
      ...(unlisted === undefined ? [] : [`  not reported: ${unlisted}`]),
      `  next: ${next}`,
    ];
  });
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('golden/headlines.txt');
});

test('the next step does not name the service if its address is not known', () => {
  expect(headline(blocked).nextStep).toContain('close it in the scanning service as `FALSE_POSITIVE`');
});
