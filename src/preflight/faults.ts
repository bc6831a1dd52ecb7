import { type NotScanned, sentencesOf } from '../domain/not-scanned.ts';

/**
 * Combines several problems into one, so that users can fix them together. If there are configuration errors, reports
 * only them, because all other problems may be temporary. Otherwise reports the first problem, and all problems with
 * the same reason.
 */
export function combineFaults(faults: readonly [NotScanned, ...NotScanned[]]): NotScanned {
  const [first] = faults;
  const wrongSetup = faults.filter(({ reason }) => reason === 'configuration');
  const counted = wrongSetup.length > 0 ? wrongSetup : faults.filter(({ reason }) => reason === first.reason);
  const [one = first, ...others] = new Map(counted.map((fault) => [fault.cause, fault])).values();
  if (others.length === 0) return one;
  return {
    ...one,
    cause: `Scangate found ${others.length + 1} problems.`,
    problems: [one, ...others].map(sentencesOf),
    nextStep: 'Fix all of them. Then push if the workflow changed, else re-run this job.',
  };
}
