import type { FaultKind } from './fault-kinds.ts';
import type { RequestPoint } from './request-points.ts';

/** `transient`: only the first request fails. `permanent`: every request fails until `main` has ended. */
export type Permanence = 'transient' | 'permanent';

/**
 * What the written policy promises for a fault. The promise follows from the meaning of the fault. Observed results
 * play no role in it.
 */
export interface Promised {
  readonly outcome: 'passed' | 'blocked' | 'not-scanned';
  readonly reason: string;
  /** The number of scans at the end. */
  readonly scans: 0 | 1 | 2;
  /** The most requests of this kind before `main` ends. */
  readonly requests: number;
  /** True if the scan still runs when `main` has ended. `post` then has to cancel it. */
  readonly mayStillBeRunning: boolean;
  /** True if `post` cannot find the scan, because the answer to the launch of a full scan was lost. `post` fails then. */
  readonly isLeft?: true;
  /** The number of comments that show the result at the end. */
  readonly comments: 0 | 1;
  readonly checkRuns: 0 | 1;
  readonly published: boolean;
}

const READ_ATTEMPTS = 4;
const LAUNCH_SENDS = 3;
const LAUNCHES_WHILE_LIMITED = 4;
/** The most cancel requests within a minute, if one of them is answered, or none. */
const CANCELS_IF_HEALED = 2 * READ_ATTEMPTS;
const CANCELS = 61;
const PUBLISH_SENDS = 3;
const GITHUB_ATTEMPTS = 3;
/**
 * The most requests that create one thing on GitHub. The run sends the second one if a list does not show the thing.
 */
const GITHUB_CREATES = 2;
const POLLS = 20;
/**
 * The number of trees that show which files changed. The run reads the root folders of base and head, and `src` of the
 * head. The base has no `src`.
 */
const CHANGED_FILES_TREES = 3;
/**
 * The number of trees that show whether the head changes the guidance file. The run reads one tree of the base branch,
 * and one of the head.
 */
const GUIDANCE_TREES = 2;
/**
 * For each fault, the most polls in 15 minutes if every poll has this fault. The faults that are not listed ask for no
 * wait: the run then polls every 10 s.
 */
const POLLS_IN_TIME: Readonly<Record<string, number>> = { '429 1': 910, '429 near date': 450, '429 huge': 3 };
const POLLS_WITHOUT_ADVICE = 100;
/** The number of pages of ten findings that replace one page of a hundred findings. */
const SMALL_PAGES = 10;
/**
 * The most requests for the second page of findings, if every page is too large. The run asks for the page itself, for
 * ten pages of ten findings, and for a hundred single findings.
 */
const SINGLE_PAGES = 1 + SMALL_PAGES + 100;
/**
 * The number of requests for smaller pages until the run gives up. It asks once for ten findings, and 20 times for a
 * single finding.
 */
const PAGES_IN_VAIN = 21;
/**
 * The most requests of the search for a lost launch. The search takes a minute. Between two requests, it waits for at
 * least a second.
 */
const SEARCH_REQUESTS = 61;

/** What the policy promises for this kind of request with this fault. A pure function. */
export function promised(point: RequestPoint, fault: FaultKind, permanence: Permanence): Promised {
  const happy = happyEnd(point);
  const heals = permanence === 'transient';
  const gone = fault.effect === 'unsent' && !heals;
  // A list that is too large is asked for again in smaller pages: of 10 entries, and of 1.
  const isLargeList = point.name.startsWith('comment list') && fault.name === 'gzip bomb';
  const read = isLargeList
    ? { answered: heals, requests: GITHUB_ATTEMPTS }
    : readPolicy(fault, heals, point.side);
  switch (point.name) {
    case 'token':
    case 'repositories':
    case 'presets':
      // If the answer has the wrong shape, the run concludes that the token has no project. Retrying does not fix that.
      if (point.name === 'token' && fault.name === 'wrong shape')
        return { ...nothingScanned('configuration'), requests: 1 };
      return read.answered
        ? { ...happy, requests: read.requests }
        : { ...nothingScanned(reasonOf(fault)), requests: read.requests };

    case 'scan list':
      // Without the list, a new scan could not be recognized.
      return read.answered
        ? { ...happy, requests: read.requests }
        : // A list that is older than 30 seconds is read again before the launch.
          { ...nothingScanned(reasonOf(fault)), requests: 2 * read.requests };

    case 'scan list, lost launch': {
      // The search takes a minute. If the service asks for a longer wait, the search is over before the next request.
      // A scan that is found has completed before the run can cancel it.
      const found = heals && fault.name !== '429 huge';
      return {
        ...scanAbandoned('launch-unknown'),
        requests: SEARCH_REQUESTS,
        mayStillBeRunning: !found,
      };
    }

    case 'launch':
    case 'launch, push':
      return launchPolicy(fault, heals, happy);

    case 'launch, schedule': {
      // The run looks only for a diff scan.
      const shown = launchPolicy(fault, heals, happy);
      const isLost = shown.reason === 'launch-unknown';
      return isLost ? { ...shown, mayStillBeRunning: fault.done, isLeft: true } : shown;
    }

    case 'launch, hidden scope': {
      // If the answer to the launch is lost, the run finds the scan and cancels it while it runs. It then launches once
      // more.
      const shown = launchPolicy(fault, heals, happy);
      if (!fault.done || shown.reason !== 'launch-unknown') return shown;
      return heals
        ? { ...happy, scans: 2, requests: 2 }
        : { ...scanAbandoned('launch-unknown'), scans: 2, requests: 2 };
    }

    case 'poll': {
      // While the service answers `429`, the run polls until its time limit is over.
      if (fault.effect === 'limited' && !heals)
        return {
          ...scanAbandoned('timeout'),
          requests: POLLS_IN_TIME[fault.name] ?? POLLS_WITHOUT_ADVICE,
        };
      if (heals) return { ...happy, requests: POLLS };
      // If the scan ended while no poll was answered, the run cannot cancel the scan. The run then reads the scan to
      // learn its status.
      const requests = POLLS + (fault.done ? READ_ATTEMPTS : 0);
      // If the service is unreachable, the run cannot cancel the scan.
      return { ...scanAbandoned(reasonOf(fault)), requests, mayStillBeRunning: gone };
    }

    case 'cancel': {
      // A cancellation is repeated for a minute, whatever the failure is.
      return {
        ...scanAbandoned('configuration'),
        requests: heals ? CANCELS_IF_HEALED : CANCELS,
        mayStillBeRunning: !(fault.done || heals),
      };
    }

    case 'findings 1':
    case 'findings n':
      // If a page is too large, the run asks for smaller pages.
      if (isOversize(fault)) {
        // The first page shows the number of all findings. So the run counts the findings that it cannot read, and they
        // block.
        if (point.name === 'findings n' && !heals) return { ...happy, requests: SINGLE_PAGES };
        // If the fault is transient, the run asks for two pages of a hundred findings. One is too large, so ten small
        // pages replace it.
        const requests = heals ? 2 + SMALL_PAGES : 1 + PAGES_IN_VAIN;
        return heals ? { ...happy, requests } : { ...scanAbandoned('service-error'), requests };
      }
      if (heals) return { ...happy, requests: POLLS };
      if (fault.effect === 'limited')
        return {
          ...scanAbandoned('timeout'),
          requests: POLLS_IN_TIME[fault.name] ?? POLLS_WITHOUT_ADVICE,
        };
      return { ...scanAbandoned(reasonOf(fault)), requests: POLLS };

    case 'finding':
      // Only the details of a finding show its evidence. A finding whose details cannot be read blocks.
      return {
        ...happy,
        outcome: read.answered && !isSlow(fault) ? 'passed' : 'blocked',
        requests: read.requests,
      };

    case 'publish': {
      const again = fault.effect === 'unsent' || (fault.effect === 'limited' && fault.name !== '429 huge');
      return {
        ...happy,
        requests: again ? PUBLISH_SENDS : 1,
        published: fault.done || (again && heals),
      };
    }

    case 'pull request':
      // The run reads the pull request twice: at the start, and before exit 0. If GraphQL does not answer, the run asks
      // REST. If GitHub is unreachable, the run finds no base.
      return gone
        ? { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 }
        : { ...happy, requests: 2 * GITHUB_ATTEMPTS };

    case 'compare':
      // Git can also compute the merge base. If GitHub is unreachable, git fails too.
      return gone
        ? { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 }
        : { ...happy, requests: GITHUB_ATTEMPTS };

    case 'graphql':
      // If GraphQL does not answer, the run asks REST.
      return { ...happy, requests: GITHUB_ATTEMPTS, comments: gone ? 0 : 1 };

    case 'comment list':
      // The run writes its comment. Then it reads the list to find comments of other runs. Here, there are none.
      return { ...happy, requests: read.requests };

    case 'comment list, no GraphQL':
      return {
        ...happy,
        // The comments are listed once before the comment is written, and once after.
        requests: read.answered ? read.requests + 1 : read.requests,
        comments: read.answered ? 1 : 0,
      };

    case 'comment write':
      return {
        ...happy,
        ...createPolicy(fault, heals, 1),
        comments: fault.done || (heals && fault.name !== '429 huge') ? 1 : 0,
      };

    case 'check create':
      // The run creates the check run in progress. If that request fails, the run creates a completed check run at the
      // end.
      return {
        ...happy,
        ...createPolicy(fault, heals, 2),
        checkRuns: fault.done || heals ? 1 : 0,
        comments: gone ? 0 : 1,
      };

    case 'commit pulls':
      // Without this answer, the run only misses scans that it could have reused. If GitHub is unreachable, the run
      // finds no base.
      return gone
        ? { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 }
        : { ...happy, requests: GITHUB_ATTEMPTS };

    case 'guidance tree':
    case 'guidance blob': {
      // Without the complete guidance file, the run launches no scan. If GitHub is unreachable, the run finds no
      // base.
      const reads = point.name === 'guidance tree' ? GUIDANCE_TREES : 1;
      if (gone) return { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 };
      return read.answered
        ? { ...happy, requests: read.requests + reads - 1 }
        : { ...nothingScanned('service-error'), requests: read.requests };
    }

    case 'changed files':
      // If the changed files cannot be read, the change is scanned. If GitHub is unreachable, the run writes no comment
      // and no check run.
      return {
        ...happy,
        requests: CHANGED_FILES_TREES * read.requests,
        comments: gone ? 0 : 1,
        checkRuns: gone ? 0 : 1,
      };

    case 'stored guidance':
      return read.answered
        ? { ...happy, requests: read.requests }
        : { ...nothingScanned(reasonOf(fault)), requests: read.requests };

    case 'check update':
      // `post` completes the check run that `main` could not complete.
      return { ...happy, requests: GITHUB_ATTEMPTS, comments: gone ? 0 : 1 };
  }
}

/** True if the fault lasts longer than 30 seconds. The run reserves 30 seconds for the details of all findings. */
function isSlow({ name }: FaultKind): boolean {
  return name.startsWith('stalled') || name === '429 huge';
}

function isOversize({ name }: FaultKind): boolean {
  return name === 'oversize' || name === 'gzip bomb';
}

function happyEnd({ head, event, inputs }: RequestPoint): Omit<Promised, 'requests'> {
  return {
    outcome: head === 'medium' ? 'passed' : 'blocked',
    reason: '',
    scans: 1,
    mayStillBeRunning: false,
    comments: event === undefined ? 1 : 0,
    checkRuns: 1,
    published: inputs?.['publish'] === 'always',
  };
}

function nothingScanned(reason: string): Omit<Promised, 'requests'> {
  return { ...scanAbandoned(reason), scans: 0 };
}

/**
 * The promise for a scan that the run gave up. There is a check run. There is no comment, because there is no finding.
 */
function scanAbandoned(reason: string): Omit<Promised, 'requests'> {
  return {
    outcome: 'not-scanned',
    reason,
    scans: 1,
    mayStillBeRunning: false,
    comments: 0,
    checkRuns: 1,
    published: false,
  };
}

function reasonOf({ effect }: FaultKind): string {
  return effect === 'limited' ? 'rate-limited' : 'service-error';
}

/** The policy for a read. It also holds for a write that can be repeated like a read. */
export function readPolicy(fault: FaultKind, heals: boolean, side: RequestPoint['side']) {
  const attempts = side === 'service' ? READ_ATTEMPTS : GITHUB_ATTEMPTS;
  // The answer `429 huge` asks for a wait that is longer than the run. So the run does not wait.
  const outlasts = fault.name === '429 huge';
  // If GitHub's answer has a wrong shape, the version of the API is wrong. Retrying does not fix that. GitHub's client
  // follows a redirect to another origin, and its answer has a wrong shape too.
  const isOther = side === 'github' && (fault.name === 'wrong shape' || fault.name === 'redirect other');
  const once = fault.effect === 'final' || outlasts || isOther;
  return {
    answered: !once && heals,
    requests: once ? 1 : attempts,
  };
}

function launchPolicy(fault: FaultKind, heals: boolean, happy: Omit<Promised, 'requests'>): Promised {
  switch (fault.effect) {
    case 'unsent':
      return heals
        ? { ...happy, requests: LAUNCH_SENDS }
        : { ...nothingScanned('service-error'), requests: 0 };
    case 'limited':
      // The service asks for a wait of years. The run does not wait that long.
      if (fault.name === '429 huge') return { ...nothingScanned('rate-limited'), requests: 1 };
      return heals
        ? { ...happy, requests: 2 }
        : { ...nothingScanned('rate-limited'), requests: LAUNCHES_WHILE_LIMITED };
    default:
      // A launch that may have arrived is never sent again while its scan may exist. The scan has completed before the
      // run can cancel it.
      return { ...(fault.done ? scanAbandoned : nothingScanned)('launch-unknown'), requests: 1 };
  }
}

function createPolicy(fault: FaultKind, heals: boolean, creations: number): Pick<Promised, 'requests'> {
  const definite = fault.effect === 'unsent' || fault.effect === 'limited';
  if (heals) return { requests: 2 };
  return { requests: creations * (definite ? GITHUB_ATTEMPTS : GITHUB_CREATES) };
}

/**
 * Returns the permanences with which this fault is tested. If both permanences would have the same effect, returns only
 * one of them.
 */
export function permanencesOf(point: RequestPoint, fault: FaultKind): readonly Permanence[] {
  // A new connection replaces the stale one, so the second attempt succeeds.
  if (fault.how === 'stale') return point.onNewConnection ? [] : ['transient'];
  const isAskedOnce = fault.effect !== 'unsent' && promised(point, fault, 'permanent').requests === 1;
  return isAskedOnce ? ['permanent'] : ['transient', 'permanent'];
}
