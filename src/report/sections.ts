import { SHOWN_HASH_DIGITS } from '../domain/guidance.ts';
import type { SinceLastPush } from '../domain/history.ts';
import type { Reason } from '../domain/result.ts';
import { type DiffBase, scanKindOf } from '../domain/target.ts';
import { isScanned } from '../domain/verdict.ts';
import { byteLength, cutCharacters } from '../text/visible-text.ts';
import { fitItems } from './finding-list.ts';
import { countOf, headline, TO_GET_A_SCAN } from './headline.ts';
import { severityLabel } from './labels.ts';
import { allowedLinks, checksUrl, docsPage, TOOL } from './links.ts';
import {
  BLANK_LINE,
  inlineCode,
  join,
  link,
  md,
  NOTHING,
  type SafeMarkdown,
  SEPARATOR,
  workflowMarkdown,
} from './markdown.ts';
import { linkingRun, type RenderSentences, truncateText } from './prose.ts';
import type { Report, WithheldFinding } from './report.ts';

/** The limit for one of our sentences that contains foreign text. */
const LONGEST_SENTENCE = 500;
/** The limit in bytes. The cause, the next step and the list of problems each have this limit. */
const LONGEST_LEAD = 10_000;
/**
 * The limit for a problem. It is higher than the limit for sentences, because an input error lists the valid values.
 */
const LONGEST_PROBLEM = 1_500;
const LONGEST_NAME = 100;
/** The limit of all warnings together, in bytes. More warnings could displace the findings. */
const NOTICES_LIMIT = 6000;

/** The verdict as a heading, with an icon. */
export function headingSection(report: Report): SafeMarkdown {
  return md`## ${ICONS[report.verdict.outcome]} ${headline(report).text}`;
}

/** Explains the verdict, and says what to do next. */
export function leadSection(report: Report, render: RenderSentences = linkingRun(report)): SafeMarkdown {
  const { verdict } = report;
  const { cause, problems, nextStep } = headline(report);
  const next = truncateText(nextStep, LONGEST_LEAD, render);
  const toDo = verdict.outcome === 'blocked' || verdict.outcome === 'not-scanned';
  const label = verdict.allowed ? md`${TO_GET_A_SCAN}` : md`Next step`;
  const pieces = [
    cause === undefined
      ? NOTHING
      : md`**Why:** ${truncateText(cause, LONGEST_LEAD, render)} ${unchecked(report)}`,
    problemList(problems, render),
    verdict.allowed ? allowedBy(verdict.failure?.reason) : NOTHING,
    toDo && nextStep !== '' ? md`**${label}:** ${next}` : next,
  ];
  return join(pieces, BLANK_LINE);
}

function problemList(problems: readonly string[], render: RenderSentences): SafeMarkdown {
  const lines = problems.map((problem) => md`- ${render(cutCharacters(problem, LONGEST_PROBLEM))}`);
  const { kept, leftOut } = fitItems(lines, { limit: LONGEST_LEAD, sizeOf: byteLength });
  const more = leftOut === 0 ? [] : [md`- ${countOf(leftOut, 'more problem')} in the log`];
  return join([...kept, ...more], md`\n`);
}

/**
 * Counts open findings by severity. Empty if no scan completed, because zeros would look like "no findings". Also empty
 * if the scan has no findings.
 */
export function severityTable(report: Report): SafeMarkdown {
  const { findings } = report.verdict;
  if (!isScanned(report.verdict) || findings.total === 0) return NOTHING;
  const columns = Object.entries(findings.counts).map(([level, count]) => ({
    name: md`${level.charAt(0) + level.slice(1).toLowerCase()}`,
    rule: md`:-:`,
    count: count > 0 ? md`**${count}**` : md`${count}`,
  }));
  const line = (cells: readonly SafeMarkdown[]) => md`| ${join(cells, md` | `)} |`;
  return md`${line(columns.map(({ name }) => name))}\n${line(columns.map(({ rule }) => rule))}\n${line(columns.map(({ count }) => count))}`;
}

/** Lists the warnings. Empty if there are none. */
export function noticesSection(report: Report, render: RenderSentences = linkingRun(report)): SafeMarkdown {
  const lines = report.warnings.map((notice) => md`- ${render(cutCharacters(notice, LONGEST_SENTENCE))}`);
  if (lines.length === 0) return NOTHING;
  const { kept, leftOut } = fitItems(lines, { limit: NOTICES_LIMIT, sizeOf: byteLength });
  const more = leftOut === 0 ? [] : [md`- ${countOf(leftOut, 'more note')} in the log.`];
  return md`**Notes**\n\n${join([...kept, ...more], md`\n`)}`;
}

/** Says what was scanned, by which run, from which base, and for how many credits. */
export function runSection(report: Report): SafeMarkdown {
  const { diffBase, reused, runUrl, runAttempt } = report;
  const attempt = runAttempt > 1 ? `, attempt ${runAttempt}` : '';
  const url = runAttempt > 1 ? `${runUrl}/attempts/${runAttempt}` : runUrl;
  const pieces = [
    ...scanFacts(report),
    diffBase === undefined || diffBase.how === 'none' ? NOTHING : md`base: ${BASE_SOURCES[diffBase.how]}`,
    guidance(report),
    reused ? reusedScan(report) : creditsSpent(report),
    creditsSoFar(report),
    link(`workflow run${attempt}`, url, allowedLinks(report)),
  ];
  return md`<sub>${join(pieces, SEPARATOR)}</sub>`;
}

/** The note of the workflow, such as where to ask. */
export function noteSection({ note = '' }: Report): SafeMarkdown {
  return workflowMarkdown(note);
}

/** Says what was scanned. Does not name the run, so that the comment changes only if the result changes. */
export function scanSection(report: Report): SafeMarkdown {
  const url = checksUrl(report);
  const checks = url === undefined ? NOTHING : link('checks', url, allowedLinks(report));
  return md`<sub>${join([...scanFacts(report), checks], SEPARATOR)}</sub>`;
}

function scanFacts(report: Report): readonly SafeMarkdown[] {
  const { scanId, preflight, checkName, commitConfirmed, baseConfirmed } = report;
  const { failure } = report.verdict;
  return [
    md`${cutCharacters(checkName, LONGEST_NAME)}`,
    failure === undefined ? NOTHING : md`reason ${reasonLink(failure.reason)}`,
    scanId === undefined ? NOTHING : md`scan ${inlineCode(cutCharacters(scanId, LONGEST_NAME))}`,
    commits(report),
    commitConfirmed === false ? md`commit not confirmed by the service` : NOTHING,
    baseConfirmed === false ? md`base not confirmed by the service` : NOTHING,
    preflight ? md`preset ${inlineCode(cutCharacters(preflight.preset.ref, LONGEST_NAME))}` : NOTHING,
    published(report),
  ];
}

function reasonLink(reason: Reason): SafeMarkdown {
  return link(inlineCode(reason), docsPage('outcomes', 'reasons'), [`${TOOL.informationUri}/`]);
}

function commits(report: Report): SafeMarkdown {
  const { diffBase, target } = report;
  if (diffBase?.baseSha !== undefined) return md`${commit(diffBase.baseSha)} → ${commit(diffBase.headSha)}`;
  if (diffBase !== undefined) return md`all files of ${commit(diffBase.headSha)}`;
  return target === undefined ? NOTHING : md`head ${commit(target.headSha)}`;
}

/** Links the published page. Its password is an output of the job, so the workflow decides who gets it. */
function published(report: Report): SafeMarkdown {
  const { publication } = report;
  if (publication === undefined) return NOTHING;
  const page = link('published page', publication.url, allowedLinks(report));
  return publication.gated
    ? md`${page} (password: ask a maintainer where the workflow sends its output ${inlineCode('public-password')})`
    : page;
}

/** Names the source of the guidance. The text of the guidance stays private. */
function guidance({ guidance: source }: Report): SafeMarkdown {
  if (source === undefined) return NOTHING;
  const path = inlineCode(cutCharacters(source.path, LONGEST_NAME));
  const hash = inlineCode(source.hash.slice(0, SHOWN_HASH_DIGITS));
  return md`guidance ${path} at ${commit(source.commitSha)}, ${countOf(source.characters, 'character')}, SHA-256 ${hash}`;
}

function reusedScan({ sameFilesAs }: Report): SafeMarkdown {
  return sameFilesAs === undefined
    ? md`scan of another run, no credits used`
    : md`same files as in ${commit(sameFilesAs)}, already scanned, no credits used`;
}

/**
 * Says how many credits the scan reserved. If a scan is cancelled, the service releases the reservation, but charges
 * completed work.
 */
function creditsSpent({ creditsReserved, scanStatus }: Report): SafeMarkdown {
  if (creditsReserved === undefined) return NOTHING;
  const credits = countOf(creditsReserved, 'credit');
  switch (scanStatus) {
    case 'CANCELLED':
      return md`${countOf(creditsReserved, 'reserved credit')} released; completed work is still charged`;
    case 'FAILED':
      return md`${credits} reserved; see the service for the amount charged`;
    default:
      return md`${credits} reserved`;
  }
}

/** Says what the pull request has cost. A lower bound of nothing says nothing, so it is left out. */
function creditsSoFar({ creditsPullRequest = 0 }: Report): SafeMarkdown {
  return creditsPullRequest === 0
    ? NOTHING
    : md`${countOf(creditsPullRequest, 'credit')} so far for this pull request, as far as Scangate knows`;
}

function commit(id: string): SafeMarkdown {
  return inlineCode(id.slice(0, 7));
}

function allowedBy(reason: Reason | undefined): SafeMarkdown {
  return reason === 'paths'
    ? md`Passing because the workflow sets ${inlineCode('paths-unscanned')}.`
    : md`Passing because ${inlineCode('allow-unscanned')} includes this reason.`;
}

/** Says what the missing scan means. Only a pull request has a merge that a failed job can block. */
function unchecked({ target, verdict }: Report): SafeMarkdown {
  const isFull = target !== undefined && scanKindOf(target) === 'full';
  const said = md`This ${isFull ? 'commit' : 'change'} has not been checked`;
  if (verdict.exitCode === 0) return md`${said}.`;
  return target?.pullRequest === undefined
    ? md`${said}, so this job fails.`
    : md`${said}, so this job fails. If the job is required, this blocks the merge.`;
}

const BASE_SOURCES: Readonly<Record<Exclude<DiffBase['how'], 'none'>, string>> = {
  input: 'set in the workflow',
  compare: 'merge base from GitHub',
  git: 'merge base from git',
};

const ICONS: Readonly<Record<Report['verdict']['outcome'], SafeMarkdown>> = {
  passed: md`✅`,
  blocked: md`🛑`,
  unchanged: md`✅`,
  'not-scanned': md`⚠️`,
};

/** Our choice. Readers skip a longer list. */
const MOST_NAMED = 10;

/**
 * Says in one line what the last push changed. Empty if there is nothing to compare with, or if there were no findings
 * before and are none now.
 */
export function sinceSection(since: SinceLastPush | undefined): SafeMarkdown {
  if (since === undefined) return NOTHING;
  const { comparedWith, fresh, stillOpen, triaged, below, exempt, gone } = since;
  const pieces = [
    fresh === undefined
      ? md`new findings could not be determined`
      : fresh.length === 0
        ? NOTHING
        : md`**${fresh.length} new**`,
    counted(stillOpen.length, md`still open`),
    named(gone, md`no longer reported`),
    named(
      triaged.map(({ severity, label }) => ({ level: severity.level, label })),
      md`closed by triage`,
    ),
    counted(below.length, md`now below the threshold`),
    counted(exempt.length, md`now exempt by path`),
  ];
  const said = join(pieces, SEPARATOR);
  if (pieces.every((part) => part === NOTHING)) return NOTHING;
  return md`**Since the last push** (compared with ${inlineCode(comparedWith.slice(0, 7))}): ${said}`;
}

function counted(count: number, text: SafeMarkdown): SafeMarkdown {
  return count === 0 ? NOTHING : md`${count} ${text}`;
}

function named(known: readonly WithheldFinding[], text: SafeMarkdown): SafeMarkdown {
  if (known.length === 0) return NOTHING;
  const names = known
    .slice(0, MOST_NAMED)
    .map(({ level, label }) => join([md`${severityLabel({ level, word: '' })}`, inlineCode(label)], md` `));
  const more = known.length > MOST_NAMED ? [md`${known.length - MOST_NAMED} more`] : [];
  return md`${known.length} ${text} (${join([...names, ...more], md`, `)})`;
}
