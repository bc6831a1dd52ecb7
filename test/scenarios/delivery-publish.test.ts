import { expect } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import { anEarlierRun, failing, lost, refusingAs, showingInstead } from './effects.ts';
import { omits, requests } from './ends.ts';
import { type End, testRuns } from './run-rows.ts';

const ALWAYS = { publish: 'always', comment: 'always' };
const PUBLISH = 'scans.publish';
const withoutPassword = showingInstead((body) => ({ ...(isObject(body) && body), accessPassword: null }));

const showsPage: End = async ({ run, environment: { github } }) => {
  const { 'public-url': url = '', 'public-password': password = '' } = run.outputs;
  const open = (text: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ password: text }) });
  expect((await open('no')).ok).toBe(false);
  expect(await (await open(password)).text()).toContain('Shell command built from a variable');
  expect(run.masks).toContain(password);
  for (const text of [run.summary, github.comments[0]?.body, github.checkRuns[0]?.output.summary])
    expect(text).toContain(url);
};
/** The comment links the page of the output. */
const linksPage: End = ({ run, environment }) =>
  expect(environment.github.comments[0]?.body).toContain(run.outputs['public-url']);

testRuns(
  [
    {
      name: 'a published page is protected by its password, and linked in the report',
      inputs: { publish: 'on-findings' },
      ends: showsPage,
    },
    {
      name: 'with `publish: on-findings`, a run publishes no page of a clean change',
      head: 'clean',
      inputs: { publish: 'on-findings' },
      ends: requests(PUBLISH, 0),
    },
    {
      name: 'with `publish: always`, a run publishes a page of a clean change',
      head: 'clean',
      inputs: ALWAYS,
    },
    {
      name: 'the input `publish-password: false` publishes a page without a password',
      inputs: { publish: 'always', 'publish-password': 'false' },
      ends: async ({ run }) => expect((await fetch(run.outputs['public-url'] ?? '')).ok).toBe(true),
    },
    ...(
      [
        ['is refused', refusingAs(403, 'forbidden')],
        ['fails', refusingAs(500, 'internal')],
        ['gets no answer', lost],
        ['has no password', withoutPassword],
      ] as const
    ).map(([what, answer]) => ({
      name: `a run warns and keeps its verdict if the publication ${what}`,
      inputs: { publish: 'always' },
      at: { [PUBLISH]: answer },
      ends: [requests(PUBLISH, 1), omits('/public/scans/')],
    })),
    {
      name: 'a change that was not scanned is not published',
      service: { pace: { ending: 'FAILED' } },
      inputs: ALWAYS,
      ends: requests(PUBLISH, 0),
    },
    ...['graphql 2-', 'graphql'].map((reads) => ({
      name: `a re-run keeps the link to the published page if GitHub fails in ${reads}`,
      head: 'clean' as const,
      earlier: [anEarlierRun(ALWAYS)],
      attempt: 2,
      inputs: ALWAYS,
      at: { [reads]: failing },
      ends: [linksPage, requests(PUBLISH, 0)],
    })),
    {
      name: 'a re-run shows no page of another scan',
      head: 'clean',
      earlier: [
        anEarlierRun(ALWAYS),
        anEarlierRun({ comment: 'never', 'reuse-scan': 'false' }, {}, { runId: 9_000_000_050 }),
      ],
      runId: 9_000_000_050,
      attempt: 2,
      inputs: { comment: 'always' },
    },
  ],
  'publish',
);
