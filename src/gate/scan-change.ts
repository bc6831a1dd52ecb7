import { disclosureOf } from '../domain/disclosure.ts';
import { ok } from '../domain/result.ts';
import type { CheckRun } from '../github/check-run.ts';
import { claimedScans } from '../scan/claimed-scans.ts';
import { type EarlierScan, useEarlierScan, useScanOfSameFiles } from '../scan/earlier-scan.ts';
import {
  type FoundMark,
  MARKS_SHOWN_MS,
  MOST_MARK_READS,
  marksOfCheckRuns,
  marksUnlisted,
} from '../scan/find-marks.ts';
import { isAsLaunched } from '../scan/listed-before.ts';
import { scanIdsOf } from '../scan/match-new-scans.ts';
import { openCheckRunOf } from '../scan/open-check-run.ts';
import type { ScanResult } from '../scan/result.ts';
import { createFileComparison } from '../scan/same-files.ts';
import { contentKey, exactKey, isKeyOf } from '../scan/scan-key.ts';
import type { DatedScan } from '../scan/scan-mark.ts';
import { describeUnproven, unprovenScans } from '../scan/unproven-scans.ts';
import { type FollowedLaunch, followLaunched, followRequest } from './follow-launched.ts';
import { type ChangeDeps, launchChange, recoverUnknown, type Surroundings } from './launch-change.ts';
import type { Change } from './launch-plan.ts';
import { cancelForOlderHeads } from './older-heads.ts';

/**
 * Follows or reads the scan that an earlier run paid for; else launches one, follows it to its end, and reads its
 * findings. Of jobs that launch it together one keeps its scan: see `followLaunched`. What is abandoned is cancelled, and
 * so is what still runs for an older head of the pull request.
 */
export async function scanChange(deps: ChangeDeps, change: Change): Promise<ScanResult> {
  // First, because what they reserve may be what the launch lacks.
  const stillRunning = await cancelForOlderHeads(deps, change, change.environment, change.earlier.marks);
  const result = await scanOnce(deps, change);
  return { ...result, notices: [...stillRunning, ...result.notices] };
}

/**
 * A job launches again where the job that it yielded to ends early. Two followers of one such job launch again both,
 * so they have to be able to yield again; after the last launch a job keeps its scan, so that this ends.
 */
const MOST_LAUNCHES = 3;

/** Uses a proven scan that is paid for already; launches where there is none. */
async function scanOnce(deps: ChangeDeps, change: Change): Promise<ScanResult> {
  const { api, clock, inputs, signal, github, state, log } = deps;
  const { plan } = change;
  const { marks: earlierMarks, unlisted } = change.earlier;
  const key = exactKey(plan.keyFields);
  const proven = createProvenScans(deps, change);
  const left = openCheckRunOf(change.environment, earlierMarks, inputs.checkName, (mark) =>
    isKeyOf(mark, plan.keyFields),
  );
  let open: CheckRun | undefined = left;
  const opened = () => open && ok(open);
  if (left !== undefined) {
    state.saveCheckRun({ headSha: change.target.headSha, scanId: left.scanId, id: left.id });
  }

  const earlier = await proven.useEarlier();
  // What was followed in vain took its time: another job may have marked a scan since.
  const reused = earlier.kind === 'none' && proven.triedAny() ? await proven.useNewer(earlier) : earlier;
  if (reused.kind === 'used') return { ...reused.scan, checkRun: opened() };
  const ofSameFiles = await proven.useSameFiles();
  if (ofSameFiles !== undefined) return { ...ofSameFiles, checkRun: opened() };
  // A re-run repeats the event, and is how people ask for another scan.
  const editedOnly = change.target.pullRequest?.editedOnly === true && change.environment.runAttempt === 1;
  if (editedOnly && reused.ended !== undefined) return { ...reused.ended, checkRun: opened() };

  if (unlisted !== undefined && !proven.triedAny()) {
    const outcome = { kind: 'not-scanned', stop: marksUnlisted(unlisted) } as const;
    return { outcome, notices: [], checkRun: opened() };
  }

  const known = createKnownScans(deps, change);
  if (earlierMarks.length > 0) await known.refresh();
  const unproven = inputs.reuseScan ? unprovenScans(known.scans(), change.diffBase, proven.isNamed) : [];
  if (unproven.length > 0) log.info(describeUnproven(unproven));
  const places = { headSha: change.target.headSha, pullRequest: change.target.pullRequest?.number };
  const claimed = (look: AbortSignal, exceptKey?: string) =>
    claimedScans({ github, apiToken: inputs.apiToken, signal: look }, places, exceptKey);
  const surroundings: Surroundings = {
    knownScanIds: known.ids,
    isListed: known.has,
    afterLongWait: async () => {
      await known.refresh();
      return proven.findNew();
    },
    readClaimedScans: claimed,
    mayFollow: async (pending, scanId) => {
      const readClaimedScans = () => claimed(signal, key);
      return (
        !proven.isNamed(scanId) && isAsLaunched({ api, clock, signal, readClaimedScans }, pending, scanId)
      );
    },
  };
  for (let launches = 1; ; launches += 1) {
    const mayYield = inputs.reuseScan && launches < MOST_LAUNCHES;
    let launch = await launchChange(deps, change, surroundings);
    let elder: DatedScan | undefined;
    while (launch.kind === 'launched' && elder === undefined) {
      const { scan, pending } = launch;
      proven.leaveOut(scan);
      const options = { openCheckRun: open, mayYield };
      const followed: FollowedLaunch = await followLaunched(deps, change, scan, options);
      if (followed.kind === 'ended') return followed.result;
      open = followed.checkRun.ok ? followed.checkRun.value : open;
      if (followed.kind === 'yielded') elder = followed.elder;
      else launch = await recoverUnknown(deps, pending, [scan.scanId], surroundings);
    }
    if (launch.kind === 'ended') return { ...launch.result, checkRun: opened() };
    const others = elder === undefined ? await proven.use(launch.scan) : await proven.useInstead(elder);
    const other = others.kind === 'none' ? await proven.useNewer(others) : others;
    if (other.kind === 'used') return { ...other.scan, checkRun: opened() };
    if (!signal.aborted) await known.refresh();
  }
}

/** The scans that proven marks with the key of this change name; each is tried once. */
function createProvenScans(deps: Omit<ChangeDeps, 'limits' | 'state'>, change: Change) {
  const { api, clock, random, signal, inputs, log, github, onScanCompleted } = deps;
  const { plan, preflight, diffBase, target } = change;
  const { marks: earlierMarks } = change.earlier;
  const key = exactKey(plan.keyFields);
  const compareFiles = createFileComparison({ github, signal }, change.trees);
  const request = { ...followRequest(preflight.projectId, diffBase, log), compareFiles };
  const disclosure = disclosureOf(target);
  const reuse = { api, clock, random, signal, policy: inputs.policy, disclosure, log, onScanCompleted };
  const tried = new Set<string>();
  const ofSameFiles = new Set<string>();
  const follow = (scans: readonly DatedScan[]) => {
    for (const { scanId } of scans) tried.add(scanId);
    return useEarlierScan(reuse, scans, request);
  };
  const namedBy = (marks: readonly FoundMark[]) =>
    marks.filter((mark) => mark.headSha === target.headSha && mark.key === key && !tried.has(mark.scanId));
  /** Those that are marked by now. Marks that cannot be read are read again: without them a second scan is launched. */
  async function readNamed(): Promise<readonly DatedScan[]> {
    for (let read = 1; read <= MOST_MARK_READS && !signal.aborted; read += 1) {
      if (read > 1) await clock.sleep(MARKS_SHOWN_MS, signal);
      const marks = await marksOfCheckRuns({ github, inputs, signal }, target.headSha);
      if (marks.ok) return namedBy(marks.value);
    }
    return [];
  }
  const findNew = async () => (inputs.reuseScan ? (await readNamed())[0] : undefined);
  return {
    findNew,
    /** Those of the earlier marks. */
    useEarlier: () => follow(inputs.reuseScan ? namedBy(earlierMarks) : []),
    use: (scan: DatedScan) => follow([scan]),
    /**
     * In the place of a scan of our own that was cancelled. The rank of a check run decides who yields, and not which
     * scan counts: a check run that is older than ours can hold any mark.
     * @param elder the scan that came first
     */
    useInstead: async (elder: DatedScan) => follow([...(await readNamed()), elder]),
    /** A COMPLETED scan of other commits with the same files. */
    async useSameFiles(): Promise<ScanResult | undefined> {
      const { plan, trees } = change;
      if (!inputs.reuseScan || trees === undefined) return undefined;
      const sameFiles = contentKey(plan.keyFields, trees);
      const scans = earlierMarks.filter((mark) => mark.contentKey === sameFiles && mark.key !== key);
      for (const { scanId } of scans) ofSameFiles.add(scanId);
      const { projectId } = preflight;
      const { headSha } = target;
      return useScanOfSameFiles(reuse, scans, { projectId, headSha }, compareFiles);
    },
    /** Some scan was followed, or is our own. */
    triedAny: () => tried.size > 0,
    /** A proven mark of this change, or of one with the same files, names it. */
    isNamed: (scanId: string) => tried.has(scanId) || ofSameFiles.has(scanId),
    /** A scan of this run is not followed as that of another one. */
    leaveOut: ({ scanId }: DatedScan) => void tried.add(scanId),
    /**
     * Follows what other jobs have marked since, before anything is launched again.
     * @param inVain what came of the scans before
     */
    async useNewer(inVain: Extract<EarlierScan, { readonly kind: 'none' }>): Promise<EarlierScan> {
      let { ended } = inVain;
      for (;;) {
        const newer = await findNew();
        if (newer === undefined) return { kind: 'none', ended };
        const followed = await follow([newer]);
        if (followed.kind === 'used') return followed;
        ended = newerLaunch(ended, followed.ended);
      }
    },
  };
}

/** Whose reason is reported: the result of the scan that was launched last, of two the one that was tried first. */
function newerLaunch(first: ScanResult | undefined, second: ScanResult | undefined): ScanResult | undefined {
  const isLater = Number(second?.launchedAt) > Number(first?.launchedAt);
  return first === undefined || isLater ? second : first;
}

/** The scan list from before the launch: every scan that is not in it is new. */
function createKnownScans({ api, signal }: Pick<ChangeDeps, 'api' | 'signal'>, { preflight }: Change) {
  let list = preflight.scans;
  return {
    ids: () => list && scanIdsOf(list),
    has: (scanId: string) => list?.scans.some(({ id }) => id === scanId) === true,
    scans: () => list?.scans ?? [],
    /** A list that cannot be read leaves the older one. */
    async refresh(): Promise<void> {
      const again = await api.scans(preflight.projectId, { signal });
      if (again.ok) list = again.value;
    },
  };
}
