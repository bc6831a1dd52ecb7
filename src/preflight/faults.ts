import { type NotScanned, sentencesOf } from '../domain/not-scanned.ts';

/**
 * Combines several problems into one, so that users can fix them together. If the reasons differ, reports only the
 * configuration errors, because the other problems may be temporary. If none is a configuration error, reports only the
 * problems with the same reason as the first.
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
