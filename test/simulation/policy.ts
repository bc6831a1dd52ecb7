import type { FaultKind } from './fault-kinds.ts';
import type { RequestPoint } from './request-points.ts';

/** `transient`: the first request suffers. `permanent`: every one until `main` has ended; then all is well again. */
export type Permanence = 'transient' | 'permanent';

/** What the written policy promises for a fault; derived from what a fault means, never from what was seen. */
export interface Promised {
  readonly outcome: 'passed' | 'blocked' | 'not-scanned';
  readonly reason: string;
  /** Scans that exist in the end. */
  readonly scans: 0 | 1;
  /** At most so many requests at the point before `main` ends. */
  readonly requests: number;
  /** The scan still runs when `main` has ended, and `post` has to cancel it. */
  readonly mayStillBeRunning: boolean;
  /** Places that show the result in the end. */
  readonly comments: 0 | 1;
  readonly checkRuns: 0 | 1;
  readonly published: boolean;
}

const READ_ATTEMPTS = 4;
const LAUNCH_SENDS = 3;
const LAUNCHES_WHILE_LIMITED = 4;
const PUBLISH_SENDS = 3;
const GITHUB_ATTEMPTS = 3;
/** One, and after a look at the list at most one more. */
const GITHUB_CREATES = 2;
const POLLS = 20;
/** The root folder of both sides, and `src`, which the base does not have. */
const CHANGED_FILES_TREES = 3;
/** Of the base branch's commit, and of the head, to see whether it changes the file. */
const GUIDANCE_TREES = 2;
/** In 15 minutes, as often as each form of the limit allows; the others say nothing, so every 10 s. */
const POLLS_IN_TIME: Readonly<Record<string, number>> = { '429 1': 910, '429 near date': 450, '429 huge': 3 };
const POLLS_WITHOUT_ADVICE = 100;
/** Of ten, in the place of one of a hundred. */
const SMALL_PAGES = 10;
/** Of ten and of one, for the second of a hundred. */
const SINGLE_PAGES = 1 + SMALL_PAGES + 100;
/** Of ten and of one, until it is clear that none can be had. */
const PAGES_IN_VAIN = 21;
/** A minute, and never two of them within a second. */
const SEARCH_REQUESTS = 61;

/** What the policy says happens at this point under this fault. Pure. */
export function promised(point: RequestPoint, fault: FaultKind, permanence: Permanence): Promised {
  const happy = happyEnd(point);
  const heals = permanence === 'transient';
  const gone = fault.effect === 'unsent' && !heals;
  const read = readPolicy(fault, heals, point.side);
  switch (point.name) {
    case 'token':
    case 'repositories':
    case 'presets':
      // Retrying does not fix a token without a project.
      if (point.name === 'token' && fault.name === 'wrong shape')
        return { ...nothingScanned('configuration'), requests: 1 };
      return read.answered
        ? { ...happy, requests: read.requests }
        : { ...nothingScanned(reasonOf(fault)), requests: read.requests };

    case 'scan list':
      // Without the list a lost launch could not be recognized; as long as none is lost it is not missed.
      // Where nothing of the service answers, the launch does not either.
      return gone
        ? { ...nothingScanned('service-error'), requests: read.requests }
        : { ...happy, requests: read.requests };

    case 'scan list, lost launch': {
      const looks = fault.effect === 'final' ? 1 : SEARCH_REQUESTS;
      // Who is asked to wait for a minute or more does so, and then the minute of the search is over.
      const found = fault.effect !== 'final' && heals && fault.name !== '429 huge';
      return found
        ? { ...happy, requests: SEARCH_REQUESTS }
        : { ...scanAbandoned('launch-unknown'), checkRuns: 1, requests: looks, mayStillBeRunning: true };
    }

    case 'launch':
    case 'launch, push':
    case 'launch, schedule':
      return launchPolicy(fault, heals, happy);

    case 'launch, hidden scope': {
      // What was launched is recognized and cancelled. Its result would prove nothing.
      const shown = launchPolicy(fault, heals, happy);
      const isLost = fault.done && shown.outcome === happy.outcome;
      return isLost ? { ...scanAbandoned('launch-unknown'), requests: shown.requests } : shown;
    }

    case 'poll': {
      // A service that is too busy ends nothing but the time that the workflow gives.
      if (fault.effect === 'limited' && !heals)
        return {
          ...scanAbandoned('timeout'),
          requests: POLLS_IN_TIME[fault.name] ?? POLLS_WITHOUT_ADVICE,
        };
      if (fault.effect !== 'final' && heals) return { ...happy, requests: POLLS };
      // A scan that ended unseen cannot be cancelled, and is read to see what became of it.
      const requests = fault.effect === 'final' ? 1 : POLLS + (fault.done ? READ_ATTEMPTS : 0);
      // The cancelling needs the service too.
      return { ...scanAbandoned(reasonOf(fault)), requests, mayStillBeRunning: gone };
    }

    case 'cancel': {
      const cancelled = fault.done || read.answered;
      return {
        ...scanAbandoned('configuration'),
        requests: read.requests,
        mayStillBeRunning: !cancelled,
      };
    }

    case 'findings 1':
    case 'findings n':
      // Asked again for smaller pages.
      if (isOversize(fault)) {
        // The first page names them all; those that cannot be read are counted, and block.
        if (point.name === 'findings n' && !heals) return { ...happy, requests: SINGLE_PAGES };
        // The second of a hundred is read either way.
        const requests = heals ? 2 + SMALL_PAGES : 1 + PAGES_IN_VAIN;
        return heals ? { ...happy, requests } : { ...scanAbandoned('service-error'), requests };
      }
      return read.answered
        ? { ...happy, requests: read.requests }
        : { ...scanAbandoned(reasonOf(fault)), requests: read.requests };

    case 'finding':
      // What the list does not show cannot acquit.
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
      // What GraphQL does not answer is asked by REST, at the start and before exit 0. Where GitHub is gone, so is the base.
      return gone
        ? { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 }
        : { ...happy, requests: 2 * GITHUB_ATTEMPTS };

    case 'compare':
      // Git computes the merge base as well. Where GitHub is gone, git fails too.
      return gone
        ? { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 }
        : { ...happy, requests: GITHUB_ATTEMPTS };

    case 'graphql':
      // What it does not answer is asked by REST.
      return { ...happy, requests: GITHUB_ATTEMPTS, comments: gone ? 0 : 1 };

    case 'comment list':
      // It is written; no other run wrote meanwhile.
      return { ...happy, requests: read.requests };

    case 'comment list, no GraphQL':
      return {
        ...happy,
        // Once before the comment is written, once after.
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
      // Once in progress, and where that failed once more at the end, completed.
      return {
        ...happy,
        ...createPolicy(fault, heals, 2),
        checkRuns: fault.done || heals ? 1 : 0,
        comments: gone ? 0 : 1,
      };

    case 'commit pulls':
      // Only scans that might be used again are missed. Where GitHub is gone, so is the base.
      return gone
        ? { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 }
        : { ...happy, requests: GITHUB_ATTEMPTS };

    case 'guidance tree':
    case 'guidance blob': {
      // Never a shorter guidance. Where GitHub is gone, the base is, too.
      const reads = point.name === 'guidance tree' ? GUIDANCE_TREES : 1;
      if (gone) return { ...nothingScanned('service-error'), checkRuns: 0, requests: 0 };
      return read.answered
        ? { ...happy, requests: read.requests + reads - 1 }
        : { ...nothingScanned('service-error'), requests: read.requests };
    }

    case 'changed files':
      // What cannot be read is scanned. Where GitHub is gone, nothing can be written there either.
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
      // What `main` could not complete, `post` does.
      return { ...happy, requests: GITHUB_ATTEMPTS, comments: gone ? 0 : 1 };
  }
}

/** All details together have half a minute. */
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

/** Reported by the check run; no comment is created without a finding. */
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

/** A read, or a request that can be repeated like one. */
export function readPolicy(fault: FaultKind, heals: boolean, side: RequestPoint['side']) {
  const attempts = side === 'service' ? READ_ATTEMPTS : GITHUB_ATTEMPTS;
  // A limit that outlasts the run is not awaited.
  const outlasts = fault.name === '429 huge';
  // An answer of another shape is no blip: the version is wrong.
  const isOther = side === 'github' && fault.name === 'wrong shape';
  const isFinal = fault.effect === 'final';
  // A read follows it, to a page that is not JSON.
  const isFollowed = side === 'github' && fault.name === 'redirect same';
  const once = (isFinal && !isFollowed) || outlasts || isOther;
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
      // A wait of years is not accepted.
      if (fault.name === '429 huge') return { ...nothingScanned('rate-limited'), requests: 1 };
      return heals
        ? { ...happy, requests: 2 }
        : { ...nothingScanned('rate-limited'), requests: LAUNCHES_WHILE_LIMITED };
    default:
      // Never sent again: the scan list shows whether it was done.
      return fault.done ? { ...happy, requests: 1 } : { ...nothingScanned('launch-unknown'), requests: 1 };
  }
}

function createPolicy(fault: FaultKind, heals: boolean, creations: number): Pick<Promised, 'requests'> {
  const definite = fault.effect === 'unsent' || fault.effect === 'limited';
  if (heals) return { requests: 2 };
  return { requests: creations * (definite ? GITHUB_ATTEMPTS : GITHUB_CREATES) };
}

/** How long this fault can last at this point, as far as it makes a difference. */
export function permanencesOf(point: RequestPoint, fault: FaultKind): readonly Permanence[] {
  // The connection that takes the place of a stale one is new.
  if (fault.how === 'stale') return point.onNewConnection ? [] : ['transient'];
  const isAskedOnce = fault.effect !== 'unsent' && promised(point, fault, 'permanent').requests === 1;
  return isAskedOnce ? ['permanent'] : ['transient', 'permanent'];
}
