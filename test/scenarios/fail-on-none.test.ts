import { testRuns } from './run-rows.ts';

testRuns(
  [
    {
      name: 'a run with `fail-on: none` reports all findings, and blocks nothing',
      inputs: { 'fail-on': 'none' },
    },
  ],
  'fail-on-none',
);
