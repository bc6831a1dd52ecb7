import type { NotScanned } from '../domain/not-scanned.ts';

/**
 * Several faults found together, as one: mended together, they cost one run instead of several. Where their reasons
 * differ only those that somebody has to mend count: the others may pass by themselves.
 */
export function combineFaults(faults: readonly [NotScanned, ...NotScanned[]]): NotScanned {
  const [first] = faults;
  const wrongSetup = faults.filter(({ reason }) => reason === 'configuration');
  const told = wrongSetup.length > 0 ? wrongSetup : faults.filter(({ reason }) => reason === first.reason);
  const joined = (sentences: readonly string[]) => [...new Set(sentences)].join(' ');
  return {
    ...(told[0] ?? first),
    cause: joined(told.map(({ cause }) => cause)),
    nextStep: joined(told.map(({ nextStep }) => nextStep)),
  };
}
