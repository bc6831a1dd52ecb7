import type { DiffBase } from '../domain/target.ts';
import { byteLength, cutCharacters } from '../text/text-limit.ts';
import { withCode } from './code-spans.ts';
import { fitParts } from './finding-list.ts';
import { fitText } from './fit-text.ts';
import { countOf, headline } from './headline.ts';
import { allowedLinks } from './links.ts';
import { BLANK_LINE, inlineCode, join, link, md, NOTHING, type SafeMarkdown, SEPARATOR } from './markdown.ts';
import { headCommit, type Report } from './report.ts';

/** One sentence of ours, with a short piece of foreign text in it. */
const LONGEST_SENTENCE = 500;
/** Bytes of cause and of next step, which may be many sentences: faults are told together, one for each input. */
const LONGEST_LEAD = 10_000;
const LONGEST_NAME = 100;
/** Notices take at most this many bytes, so that they never push the findings out. */
const NOTICES_ROOM = 6000;

/** The verdict as a heading, with a sign for the eye. */
export function headingSection(report: Report): SafeMarkdown {
  const { verdict, policy } = report;
  return md`## ${ICONS[verdict.outcome]} ${headline(verdict, policy).words}`;
}

/** Why, and what to do next. */
export function leadSection(report: Report): SafeMarkdown {
  const { verdict, policy } = report;
  const { cause, nextStep } = headline(verdict, policy);
  const next = fitText(nextStep, LONGEST_LEAD);
  const toDo = verdict.outcome === 'blocked' || verdict.outcome === 'not-scanned';
  const label = verdict.allowed ? md`To have it scanned` : md`Next step`;
  const parts = [
    cause === undefined ? NOTHING : md`**Why:** ${fitText(cause, LONGEST_LEAD)} ${UNKNOWN}`,
    verdict.allowed ? ALLOWED : NOTHING,
    toDo && nextStep !== '' ? md`**${label}:** ${next}` : next,
  ];
  return join(parts, BLANK_LINE);
}

/** Open findings by severity; nothing where no scan completed, so that it never reads as "none". */
export function severityTable(report: Report): SafeMarkdown {
  const { outcome, findings } = report.verdict;
  if (outcome !== 'passed' && outcome !== 'blocked') return NOTHING;
  if (findings.total === 0) return NOTHING;
  const columns = Object.entries(findings.counts).map(([level, count]) => ({
    name: md`${level.charAt(0) + level.slice(1).toLowerCase()}`,
    rule: md`:-:`,
    count: count > 0 ? md`**${count}**` : md`${count}`,
  }));
  const line = (cells: readonly SafeMarkdown[]) => md`| ${join(cells, md` | `)} |`;
  return md`${line(columns.map(({ name }) => name))}\n${line(columns.map(({ rule }) => rule))}\n${line(columns.map(({ count }) => count))}`;
}

/** What could not be read or delivered. */
export function noticesSection(report: Report): SafeMarkdown {
  const lines = report.notices.map((notice) => md`- ${withCode(cutCharacters(notice, LONGEST_SENTENCE))}`);
  if (lines.length === 0) return NOTHING;
  const { kept, leftOut } = fitParts(lines, { room: NOTICES_ROOM, sizeOf: byteLength });
  const more = leftOut === 0 ? [] : [md`- ${countOf(leftOut, 'more notice')} in the log.`];
  return md`**Please note**\n\n${join([...kept, ...more], md`\n`)}`;
}

/** What was scanned, against what, and for how much. */
export function scanSection(report: Report): SafeMarkdown {
  const { scanId, diffBase, preset, reused, checkName, commitConfirmed } = report;
  const { stop } = report.verdict;
  const head = headCommit(report);
  const allowed = allowedLinks(report);
  const parts = [
    md`${cutCharacters(checkName, LONGEST_NAME)}`,
    stop === undefined ? NOTHING : md`reason ${inlineCode(stop.reason)}`,
    scanId === undefined ? NOTHING : md`scan ${inlineCode(cutCharacters(scanId, LONGEST_NAME))}`,
    diffBase === undefined
      ? head === undefined
        ? NOTHING
        : md`head ${commit(head)}`
      : md`${commit(diffBase.baseCommit)} → ${commit(diffBase.headCommit)} (base ${HOW[diffBase.how]})`,
    commitConfirmed === false ? md`commit not confirmed by the service` : NOTHING,
    preset === undefined ? NOTHING : md`preset ${inlineCode(cutCharacters(preset.ref, LONGEST_NAME))}`,
    reused ? md`paid for by an earlier run, no new credits` : creditsSpent(report),
    published(report),
    link('workflow run', report.runUrl, allowed),
  ];
  return md`<sub>${join(parts, SEPARATOR)}</sub>`;
}

/** The password itself is shown nowhere. */
function published(report: Report): SafeMarkdown {
  const { publication } = report;
  if (publication === undefined) return NOTHING;
  const page = link('published page', publication.url, allowedLinks(report));
  return publication.gated
    ? md`${page} (ask a maintainer for its password, the output ${inlineCode('public-password')} of the run that published it)`
    : page;
}

/** A scan that was cut short releases what it reserved, but its jobs settle what they had done. */
function creditsSpent({ creditsReserved, scanStatus }: Report): SafeMarkdown {
  if (creditsReserved === undefined) return NOTHING;
  const credits = countOf(creditsReserved, 'credit');
  switch (scanStatus) {
    case 'CANCELLED':
      return md`the ${credits} reserved are released, work already done is still charged`;
    case 'FAILED':
      return md`${credits} were reserved, the scanning service tells what was charged`;
    default:
      return md`${credits} reserved`;
  }
}

function commit(id: string): SafeMarkdown {
  return inlineCode(id.slice(0, 7));
}

const ALLOWED = md`The check lets it pass all the same: the workflow lists this reason in ${inlineCode('allow-unscanned')}.`;

const UNKNOWN = 'Whether this change is safe is not known.';

const HOW: Readonly<Record<DiffBase['how'], string>> = {
  input: 'given in the workflow',
  compare: 'from the comparison on GitHub',
  git: 'found by git',
  mark: 'of an earlier scan',
};

const ICONS: Readonly<Record<Report['verdict']['outcome'], SafeMarkdown>> = {
  passed: md`✅`,
  blocked: md`🛑`,
  unchanged: md`✅`,
  'not-scanned': md`⚠️`,
};
