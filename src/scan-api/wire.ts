import * as v from 'valibot';
import { type Finding, severityOf, type Triage, UNTITLED } from '../domain/finding.ts';
import type { ListEntry, Preset, ProjectRepository, TokenInformation } from '../domain/project.ts';
import { err, ok } from '../domain/result.ts';
import {
  type LaunchedScan,
  type ListedScan,
  type Scan,
  type ShownGuidance,
  UNKNOWN_AREA,
} from '../domain/scan.ts';
import { largestBody } from '../http/attempt.ts';
import { isBlank } from '../text/visible-text.ts';
import { locationReader, pathsReader } from './location.ts';
import {
  commitId,
  cweNumber,
  type Decoded,
  decode,
  decodeEntries,
  type ForeignRecord,
  firstOf,
  ids,
  isRecord,
  isUsableId,
  type Reader,
  share,
  text,
  whole,
  word,
} from './lookup.ts';
import { hashOfText } from './wire-writes.ts';

/**
 * Creates a reader of the triage status of a finding.
 * @param known the statuses that we know, in upper case: those that confirm a finding, and those that do not
 */
function triageReader(known: {
  readonly confirmed: readonly string[];
  readonly notConfirmed: readonly string[];
}): Reader<Triage> {
  return (value) => {
    const shown = word(value);
    if (shown === undefined) return undefined;
    const confirms = known.confirmed.includes(shown);
    return { word: shown, confirms: confirms || known.notConfirmed.includes(shown) ? confirms : undefined };
  };
}

/**
 * Reads the keys of audit areas, from a list of keys or of records with a `key`. `UNKNOWN_AREA` stands for a key that
 * cannot be read.
 */
export const areaKeys: Reader<readonly string[]> = (value) =>
  Array.isArray(value)
    ? value.map((item: unknown) => text(item) ?? firstOf(item, ['key'], text) ?? UNKNOWN_AREA)
    : undefined;

const GUIDANCE_SOURCES: ReadonlyMap<string, ShownGuidance> = new Map([
  ['repository', { from: 'repository' }],
  ['scan', { from: 'launch' }],
]);

/** Reads what a scan shows about its guidance: the source of the guidance, or its text. */
const shownGuidance: Reader<ShownGuidance> = (value) => {
  const shown = text(value);
  if (shown === undefined) return undefined;
  return GUIDANCE_SOURCES.get(shown) ?? { from: 'unknown', hash: hashOfText(shown) };
};

/** Accepts the values that show that a scan has no guidance. */
const noGuidance: Reader<ShownGuidance> = (value) =>
  value === null || value === '' ? { from: 'nowhere' } : undefined;

/**
 * Makes a substitute for a finding that is too large for an answer. The substitute is open. Its severity and its id are
 * unknown.
 * @param position the finding's position in the list of its scan, from 1
 */
export function oversizeFinding(position: number): Finding {
  return {
    id: undefined,
    label: 'ZK-????????',
    severity: severityOf(undefined),
    triage: undefined,
    evidence: undefined,
    resolution: undefined,
    title: `Finding ${position} of the scan is too large to read`,
    cwe: undefined,
    location: undefined,
    url: undefined,
    description: `The service's answer with this finding is larger than ${largestBody('service')}. It is number ${position} in the service's list of findings of this scan. Its severity is not known, so it counts as worse than critical. Look at it in the scanning service.`,
    recommendedFix: undefined,
    proofOfConcept: undefined,
  };
}

// The contract documents these members. An answer that does not match is invalid.

const id = v.custom<string>(isUsableId, 'a usable id');
const record = v.custom<ForeignRecord>(isRecord, 'an object');
const count = v.pipe(v.number(), v.safeInteger('a whole number'), v.minValue(0, 'at least 0'));

const refusal = v.object({ error: v.object({ code: v.string(), message: v.unknown() }) });
const string = v.string();
const shown = <S extends v.GenericSchema>(member: S) => v.fallback(v.optional(member), undefined);
const repository = v.object({
  id,
  owner: string,
  name: string,
  url: string,
  status: string,
  readiness: string,
});
const preset = v.object({
  ref: id,
  name: string,
  minCredits: count,
  modelTier: shown(string),
  description: shown(string),
});
const shownRepository = v.object({ id: shown(id), owner: shown(string), name: shown(string) });
const shownPreset = v.object({ ref: shown(id), name: shown(string) });
const guidance = v.object({ content: v.nullable(string) });
const page = v.object({
  items: v.array(record),
  page: count,
  limit: v.pipe(count, v.minValue(1, 'at least 1')),
  total: count,
});
const scanDetail = v.object({ scan: record });
const findingDetail = v.object({ finding: record });
const cancelled = v.pipe(
  v.object({ status: v.literal('CANCELLED') }),
  v.transform(() => undefined),
);
const published = v.object({ publicId: id, accessPassword: v.nullable(v.string()) });

export function decodeRefusal(json: unknown): Decoded<{ code: string; message: string }> {
  const decoded = decode(refusal, json);
  if (!decoded.ok) return decoded;
  const { code, message } = decoded.value.error;
  return ok({ code, message: text(message) ?? '' });
}

export function decodeRepositories(json: unknown): Decoded<readonly ListEntry<ProjectRepository>[]> {
  return decodeEntries(json, 'repositories', repository, shownRepository);
}

export function decodePresets(json: unknown): Decoded<readonly ListEntry<Preset>[]> {
  return decodeEntries(json, 'presets', preset, shownPreset);
}

/** Reads the guidance that the service stores for a repository; null if there is none. */
export function decodeGuidance(json: unknown): Decoded<string | null> {
  const decoded = decode(guidance, json);
  return decoded.ok ? ok(decoded.value.content) : decoded;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

export function decodeScanPage(json: unknown): Decoded<Page<ListedScan>> {
  return decodePage(json, readListedScan);
}

export function decodeFindingPage(json: unknown): Decoded<Page<Finding>> {
  return decodePage(json, readFinding);
}

function decodePage<Item>(json: unknown, readItem: (item: ForeignRecord) => Item): Decoded<Page<Item>> {
  const decoded = decode(page, json);
  return decoded.ok ? ok({ ...decoded.value, items: decoded.value.items.map(readItem) }) : decoded;
}

export function decodeCancelled(json: unknown): Decoded<undefined> {
  return decode(cancelled, json);
}

export function decodePublished(json: unknown): Decoded<{ publicId: string; accessPassword: string | null }> {
  return decode(published, json);
}

// We assume these members, and try their names in this order. A missing member means "not known".

/** A test compares these names with the written contract. */
export const ASSUMED = {
  launchedScan: ['scanId', 'scan.scanId', 'scan.id', 'id'],
  scan: {
    id: ['id', 'scanId'],
    repositoryId: ['repositoryId', 'repository.id'],
    presetRef: ['presetRef', 'preset.ref', 'preset'],
    baseSha: ['baseCommit', 'diffBase', 'diffBaseCommit', 'baseSha'],
    headSha: ['commit', 'commitSha', 'headCommit', 'headSha'],
    createdAt: ['createdAt', 'queuedAt', 'startedAt'],
    creditBudget: ['creditBudget', 'budget'],
    areas: ['auditAreaKeys', 'auditAreas', 'areas'],
    /** The source of the guidance, or its text. Null means that there is no guidance. */
    guidance: ['guidanceApplied', 'guidance'],
    weighted: ['weightedCompletion', 'completion', 'weighted', 'percent'],
    reserved: ['reservedCredits', 'creditBudget', 'reserved', 'budget'],
  },
  finding: {
    id: ['id', 'findingId'],
    title: ['title', 'name', 'summary'],
    cwe: ['cwe', 'cweId', 'cwe.id', 'cwes.0', 'cwes.0.id'],
    location: {
      places: [
        ['', ['filePath', 'path', 'file']],
        ['location.', ['path', 'file', 'filePath']],
        ['locations.0.', ['path', 'file', 'filePath']],
      ],
      startLine: ['startLine', 'lineStart', 'line', 'lineNumber'],
      endLine: ['endLine', 'lineEnd'],
    },
    url: ['url'],
    description: ['description'],
    recommendedFix: ['recommendedFix', 'recommendation', 'fix', 'remediation'],
    proofOfConcept: ['proofOfConcept', 'poc'],
  },
  /**
   * Triage statuses. The documentation names PENDING and CONFIRMED, but not all statuses. We assume that the statuses
   * in `notConfirmed` mean the opposite of CONFIRMED.
   *
   * A finding whose status is in neither list has enough evidence to block.
   */
  triage: {
    confirmed: ['CONFIRMED'],
    notConfirmed: ['PENDING', 'NOT_CONFIRMED', 'REJECTED', 'DISMISSED', 'FALSE_POSITIVE'],
  },
  token: {
    projectId: ['project.id', 'projectId'],
    scopes: ['scopes'],
    expiresAt: ['expiresAt'],
    spendLimit: ['spendLimit'],
    allowlist: ['repositoryAllowlist', 'allowlist', 'repositories'],
  },
} as const;

const none: Reader<null> = (value) => (value === null ? null : undefined);

const usableId: Reader<string> = (value) => (isUsableId(value) ? value : undefined);

export function decodeToken(json: unknown): Decoded<TokenInformation> {
  if (!isRecord(json)) return err('`body` is not an object');
  const names = ASSUMED.token;
  return ok({
    projectId: firstOf(json, names.projectId, usableId),
    scopes: firstOf(json, names.scopes, ids),
    expiresAt: firstOf(json, names.expiresAt, text),
    spendLimit: firstOf(json, names.spendLimit, whole(0)),
    allowlist: firstOf(json, names.allowlist, ids),
  });
}

/** Reads the id of the scan in the answer to a launch (202). */
export function decodeLaunched(json: unknown): Decoded<LaunchedScan> {
  const scanId = firstOf(json, ASSUMED.launchedScan, usableId);
  return scanId === undefined ? err('no readable scan id') : ok({ scanId });
}

/**
 * Reads the detail of a scan. An answer without an id counts as the requested scan. An answer with another id is
 * invalid.
 */
export function decodeScan(json: unknown, askedFor: string): Decoded<Scan> {
  const decoded = decode(scanDetail, json);
  if (!decoded.ok) return decoded;
  const { scan } = decoded.value;
  const names = ASSUMED.scan;
  const status = firstOf(scan, ['status'], text);
  if (status === undefined) return err('`scan.status` is not a string');
  if ((firstOf(scan, names.id, text) ?? askedFor) !== askedFor) return err('`scan` is another scan');
  const progress = scan['progress'];
  return ok({
    ...subjectOf(scan),
    id: askedFor,
    status,
    progress: {
      phasesCompleted: firstOf(progress, ['phasesCompleted'], whole(0)),
      phasesTotal: firstOf(progress, ['phasesTotal'], whole(0)),
      weighted: firstOf(progress, names.weighted, share),
      reservedCredits: firstOf(progress, names.reserved, whole(0)),
    },
  });
}

/** Reads a scan of the list. Never fails: a member that the list does not show is undefined. */
export function readListedScan(item: ForeignRecord): ListedScan {
  return {
    ...subjectOf(item),
    id: firstOf(item, ASSUMED.scan.id, usableId),
    status: firstOf(item, ['status'], text),
  };
}

/** Reads the repository, the commits, the settings and the creation time of a scan. */
function subjectOf(scan: ForeignRecord): Omit<ListedScan, 'id' | 'status'> {
  const names = ASSUMED.scan;
  return {
    repositoryId: firstOf(scan, names.repositoryId, text),
    presetRef: firstOf(scan, names.presetRef, text),
    baseSha: firstOf(scan, names.baseSha, commitId) ?? firstOf(scan, names.baseSha, none),
    headSha: firstOf(scan, names.headSha, commitId),
    createdAt: firstOf(scan, names.createdAt, text),
    creditBudget: firstOf(scan, names.creditBudget, whole(0)),
    areas: firstOf(scan, names.areas, areaKeys),
    guidance: firstOf(scan, names.guidance, shownGuidance) ?? firstOf(scan, names.guidance, noGuidance),
  };
}

export const readTriage = triageReader(ASSUMED.triage);
const readLocation = locationReader(ASSUMED.finding.location);
const readPaths = pathsReader(ASSUMED.finding.location);

/** Reads a title as one line without white space around it. Undefined if readers would see nothing of it. */
const readTitle: Reader<string> = (value) => {
  const lines = text(value)?.split(LINE_END) ?? [];
  const title = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return isBlank(title) ? undefined : title;
};

const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;

/** Reads a finding. Never fails, because a finding with few members still counts. */
export function readFinding(item: ForeignRecord): Finding {
  const names = ASSUMED.finding;
  const id = firstOf(item, names.id, usableId);
  const location = readLocation(item);
  const otherPaths = readPaths(item).filter((path) => path !== location?.path);
  return {
    id,
    label: `ZK-${id === undefined ? '????????' : [...id].slice(-8).join('')}`,
    severity: severityOf(firstOf(item, ['severity'], text)),
    triage: firstOf(item, ['triageStatus'], readTriage),
    evidence: item['confirmationEvidence'] === null ? null : firstOf(item, ['confirmationEvidence'], word),
    // Upper and lower case are kept, because only the exact statuses of the contract close a finding.
    resolution: firstOf(item, ['resolutionStatus'], text),
    title: firstOf(item, names.title, readTitle) ?? UNTITLED,
    cwe: firstOf(item, names.cwe, cweNumber),
    location,
    ...(otherPaths.length === 0 ? {} : { otherPaths }),
    url: firstOf(item, names.url, text),
    description: firstOf(item, names.description, text),
    recommendedFix: firstOf(item, names.recommendedFix, text),
    proofOfConcept: firstOf(item, names.proofOfConcept, text),
  };
}

export function decodeFinding(json: unknown): Decoded<Finding> {
  const decoded = decode(findingDetail, json);
  return decoded.ok ? ok(readFinding(decoded.value.finding)) : decoded;
}
