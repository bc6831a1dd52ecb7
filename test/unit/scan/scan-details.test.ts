import { expect, test } from 'vitest';
import { readScanDetails } from '../../../src/scan/recover-launch.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { aScan, polled, refused } from './fake-api.ts';

test('readScanDetails reads the details of at most twenty scans', async () => {
  const read: string[] = [];
  const scan = async (project: string, id: string, call: object) => {
    expect([project, call]).toEqual(['p', { signal: NEVER_ABORTED }]);
    read.push(id);
    return id === 's3' ? refused(500, 'internal') : polled(aScan('QUEUED', { id }));
  };
  const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
  const details = await readScanDetails({ scan }, 'p', ids, NEVER_ABORTED);
  expect(read).toEqual(ids.slice(0, 20));
  expect([...details.keys()]).toEqual(ids.slice(0, 20).filter((id) => id !== 's3'));
  expect(details.get('s4')).toEqual(aScan('QUEUED', { id: 's4' }));
});
