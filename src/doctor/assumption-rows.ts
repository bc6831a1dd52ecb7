import { UNTITLED } from '../domain/finding.ts';
import type { Result } from '../domain/result.ts';
import type { ListedScan, Scan, ScanList } from '../domain/scan.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { listed } from '../text/visible-text.ts';
import type { FindingFacts, ServiceFacts } from './facts.ts';
import { type Check, code, explainRead, fixerOf, ok, type Row, skipped, warning } from './row.ts';

const REPORT =
  'Open an issue in the Scangate repository with the names that the service uses, or compare its OpenAPI file by `npm run contract`.';
const LOST = 'a launch whose answer is lost ends as `launch-unknown`';

/** Something that we assume about the service, and that the documentation does not mention. */
interface Assumption {
  readonly what: string;
  readonly isShown: boolean;
  /** What fails if the assumption is wrong; empty if nothing fails. */
  readonly otherwise: string;
}

/**
 * Compares our assumptions about the service with what the service shows. @param isPublic true if everyone can read
 * the table
 */
export function assumptionRows(service: ServiceFacts | undefined, isPublic: boolean): readonly Row[] {
  const scans = service?.lists?.scans;
  const { scan, findings } = service ?? {};
  return [
    rowOf('Scan list', scans, ({ scans: items }: ScanList) =>
      items.length === 0 ? undefined : listAssumptions(items),
    ),
    needed(
      rowOf<Scan | undefined>(
        'Scan detail',
        scans?.ok && scans.value.scans.length === 0 ? NO_SCAN : scan,
        detailAssumptions,
      ),
      scan,
    ),
    needed(
      rowOf('Findings', findings, (items) =>
        items.length === 0 ? undefined : findingAssumptions(items, isPublic),
      ),
      findings,
    ),
  ];
}

/** Turns the row of a failed read into an error, because the gate needs this read for every verdict. */
function needed(row: Row, read: Result<unknown, ApiError> | undefined): Row {
  if (read === undefined || read.ok) return row;
  const text = isRefusal(read.error)
    ? `${row.text} The gate needs it, and fails as the doctor does.`
    : `Could not be checked. ${row.text}`;
  return { ...row, level: 'error', text };
}

/** True if the service would refuse a retry too. A rate limit or a fault of the service may be temporary. */
function isRefusal(error: ApiError): boolean {
  return error.kind === 'refused' && error.status < 500 && ![408, 429].includes(error.status);
}

/** If the scan list is empty, there is no scan to read in detail. */
const NO_SCAN: Result<Scan | undefined, ApiError> = { ok: true, value: undefined };

function rowOf<T>(
  check: Check,
  read: Result<T, ApiError> | undefined,
  assumptionsOf: (value: T) => readonly Assumption[] | undefined,
): Row {
  if (read === undefined) return skipped(check, 'Not checked: it was not read.');
  if (!read.ok) {
    const { cause, nextStep } = explainRead(read.error);
    return warning(check, cause, fixerOf(read.error), nextStep);
  }
  const assumptions = assumptionsOf(read.value);
  if (assumptions === undefined) {
    return skipped(check, 'The service has none to look at yet. Run the doctor again after the first scan.');
  }
  const [shown, hidden] = [true, false].map((is) => assumptions.filter(({ isShown }) => isShown === is));
  const shows = shown?.length === 0 ? 'Shows nothing of use.' : `Shows ${namesOf(shown)}.`;
  const harmless = hidden?.filter(({ otherwise }) => otherwise === '') ?? [];
  const harmful = hidden?.filter(({ otherwise }) => otherwise !== '') ?? [];
  const unneeded = harmless.length === 0 ? '' : ` Does not show ${namesOf(harmless)}, which nothing needs.`;
  if (harmful.length === 0) return ok(check, `${shows}${unneeded}`);
  const effects = harmful.map(({ what, otherwise }) => ` No ${what}: ${otherwise}.`).join('');
  return warning(check, `${shows}${unneeded}${effects}`, 'Workflow maintainer', REPORT);
}

function namesOf(assumptions: readonly Assumption[] = []): string {
  return assumptions.map(({ what }) => what).join(', ');
}

function listAssumptions(scans: readonly ListedScan[]): readonly Assumption[] {
  const some = (isShown: (scan: ListedScan) => boolean) => scans.some(isShown);
  return [
    { what: 'id', isShown: scans.every(({ id }) => id !== undefined), otherwise: LOST },
    {
      what: 'commit',
      isShown: some(({ headSha }) => headSha !== undefined),
      otherwise: 'the log cannot name scans of the same commit that are not used',
    },
    {
      what: 'base',
      isShown: some(({ baseSha }) => baseSha !== undefined),
      otherwise: 'after a lost answer, scans from other bases are read too',
    },
    {
      what: 'preset',
      isShown: some(({ presetRef }) => presetRef !== undefined),
      otherwise: 'after a lost answer, scans by other presets are read too',
    },
    {
      what: 'repository',
      isShown: some(({ repositoryId }) => repositoryId !== undefined),
      otherwise: 'after a lost answer, scans of other repositories are read too',
    },
    { what: 'time', isShown: some(({ createdAt }) => createdAt !== undefined), otherwise: '' },
  ];
}

/**
 * Lists our assumptions about the detail of a scan, and whether this scan confirms them. A full scan shows no base.
 */
function detailAssumptions(scan: Scan | undefined): readonly Assumption[] | undefined {
  if (scan === undefined) return undefined;
  const { headSha, baseSha, progress } = scan;
  return [
    {
      what: 'commit',
      isShown: headSha !== undefined,
      otherwise: `the report says "commit not confirmed by the service", and ${LOST}`,
    },
    {
      what: 'base',
      isShown: baseSha !== undefined,
      otherwise: `unless it is a full scan, the report says "base not confirmed by the service", and ${LOST}`,
    },
    {
      what: 'phases',
      isShown: progress.phasesTotal !== undefined,
      otherwise: 'the log shows no progress, and an incomplete scan is not noticed',
    },
  ];
}

function findingAssumptions(findings: readonly FindingFacts[], isPublic: boolean): readonly Assumption[] {
  const total = findings.length;
  const unknown = findings.filter(({ severity }) => severity.level === 'unknown');
  const count = `${unknown.length} of ${total} findings`;
  const named = [...new Set(unknown.map(({ severity }) => severity.word))].map((word) =>
    code(word || '(none)'),
  );
  return [
    {
      what: 'id',
      isShown: findings.every(({ hasId }) => hasId),
      otherwise: 'findings have no link to the service, and details are not read',
    },
    {
      what: 'title',
      isShown: findings.every(({ hasTitle }) => hasTitle),
      otherwise: `a finding is called "${UNTITLED}"`,
    },
    {
      what: 'place',
      isShown: findings.some(({ hasPlace }) => hasPlace),
      otherwise: 'no line is annotated, findings are listed only',
    },
    {
      what: 'known severity',
      isShown: unknown.length === 0,
      otherwise: isPublic
        ? `${count} count as above \`critical\``
        : `${count} have ${listed(named)}, which counts as above \`critical\``,
    },
  ];
}
