import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REASONS } from '../../../src/domain/result.ts';
import { renderJsonReport } from '../../../src/report/json-report.ts';
import { reportOfStop } from '../../../src/report/report.ts';
import { reportFault } from '../../support/report-schema.ts';
import { REASON_STATES } from './reason-states.ts';
import { POLICY, sampleFinding, sampleReport } from './sample-report.ts';
import { STATES } from './states.ts';
import { WITHHELD_STATES } from './withheld-states.ts';

type Rendered = Parameters<typeof renderJsonReport>[0];
const rendered = (report: Rendered): unknown => JSON.parse([...renderJsonReport(report)].join(''));

describe('the schema of the JSON report: valid reports', () => {
  test.each(Object.entries({ ...STATES, ...REASON_STATES, ...WITHHELD_STATES }))(
    'the JSON schema accepts the state %s',
    (_name, report) => {
      expect(reportFault(rendered(report))).toBeUndefined();
    },
  );

  test.each(REASONS)('the JSON schema accepts the reason `%s` of a run that could not begin', (reason) => {
    const failure = { reason, cause: 'It is so.', nextStep: '' };
    const timeSpent = { waitedForReadinessMs: 0, scanMs: 0, totalMs: 3 };
    const report = rendered(
      reportOfStop(failure, { policy: POLICY, checkName: 'Security scan', date: new Date(0), timeSpent }),
    );
    expect(reportFault(report)).toBeUndefined();
    expect(report).toMatchObject({ reason, links: { run: null }, scanKind: null, creditsPullRequest: null });
  });

  test.each<[what: string, members: Parameters<typeof sampleReport>[1]]>([
    ['a scan of the same files at another commit', { sameFilesAs: 'a'.repeat(64), reused: true }],
    ['a pull request that has cost nothing so far', { creditsPullRequest: 0 }],
    ['a scan whose commit and base are not confirmed', { commitConfirmed: false, baseConfirmed: false }],
  ])('the JSON schema accepts %s', (_what, members) => {
    const bare = sampleFinding({ word: 'odd', location: undefined, cwe: undefined, id: undefined });
    expect(reportFault(rendered(sampleReport([bare], members)))).toBeUndefined();
  });
});

test('the JSON schema lists exactly the known reasons', () => {
  const schema = JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, '../../../docs/report.schema.json'), 'utf8'),
  );
  expect(schema.properties.reason.enum).toEqual([...REASONS, null]);
});

describe('the schema of the JSON report: invalid reports', () => {
  const good = JSON.stringify(rendered(sampleReport([sampleFinding()], { creditsPullRequest: 60 })));
  const stateOf = (name: string) => JSON.stringify(STATES[name] && rendered(STATES[name]));
  const [passed, unchanged, refused] = [stateOf('passed'), stateOf('unchanged'), stateOf('not-scanned')];
  const [allowed, broken] = [stateOf('not-scanned-allowed'), stateOf('not-scanned-problems')];
  const ALLOWED = '"allowed":false,"exitCode":1';

  test.each([
    ['another version', good, '"schemaVersion":1', '"schemaVersion":2'],
    ['an unknown outcome', good, '"outcome":"blocked"', '"outcome":"green"'],
    ['an exit code as a text', good, '"exitCode":1', '"exitCode":"1"'],
    ['exit code 0 for a blocked change', good, '"exitCode":1', '"exitCode":0'],
    ['a blocked change with `allowed: true`', good, '"allowed":false', '"allowed":true'],
    ['a blocked change with `allowed: true` and exit code 0', good, ALLOWED, '"allowed":true,"exitCode":0'],
    ['a blocked change without a blocking finding', good, '"blocking":1', '"blocking":0'],
    ['exit code 1 for a passed change', passed, '"exitCode":0', '"exitCode":1'],
    ['a passed change with a blocking finding', passed, '"blocking":0', '"blocking":1'],
    ['exit code 1 if nothing changed', unchanged, '"exitCode":0', '"exitCode":1'],
    ['the outcome `unchanged` with `allowed: true`', unchanged, '"allowed":false', '"allowed":true'],
    ['exit code 1 if the reason is allowed', allowed, '"exitCode":0', '"exitCode":1'],
    ['exit code 0 if the reason is not allowed', refused, '"exitCode":1', '"exitCode":0'],
    ['a configuration error with `allowed: true`', broken, ALLOWED, '"allowed":true,"exitCode":0'],
    ['a report without the total time', good, /"totalMs":\d+,/, ''],
    ['a time that is not a whole number', good, /"scanMs":\d+/, '"scanMs":0.5'],
    ['an unknown member', good, '"scanKind":', '"extra":1,"scanKind":'],
    ['an abbreviated commit', good, /"headCommit":"[0-9a-f]+"/, '"headCommit":"7d3f0c1"'],
    ['a negative number of credits', good, '"credits":60', '"credits":-60'],
    ['findings without counts', good, /"counts":\{.*?\}.*?\}/, '"counts":null'],
    ['a finding of an unknown group', good, '"group":"reported"', '"group":"other"'],
    ['a finding without its severity', good, /"severity":"HIGH",/, ''],
    ['an unknown severity', good, '"severity":"HIGH"', '"severity":"high"'],
    ['an invalid date', good, /"date":"[^"]+"/, '"date":"today"'],
    ['an invalid address', good, /"run":"[^"]+"/, '"run":"javascript:0"'],
    ['an empty list of findings if nothing was scanned', broken, '"findings":null', '"findings":[]'],
    ['the reason `null` if nothing was scanned', broken, '"reason":"configuration"', '"reason":null'],
    ['the cause `null` if nothing was scanned', broken, /"cause":"[^"]+"/, '"cause":null'],
  ])('the JSON schema rejects %s', (_what, text, part, broken) => {
    expect(reportFault(JSON.parse(text))).toBeUndefined();
    const changed = text.replace(part, broken);
    expect(changed).not.toBe(text);
    expect(reportFault(JSON.parse(changed))).toEqual(expect.any(String));
  });
});
