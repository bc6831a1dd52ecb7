import type { KnownFinding } from '../domain/known-finding.ts';
import type { SinceLastPush } from '../domain/since-last-push.ts';
import { severityLabel } from './finding-labels.ts';
import { inlineCode, join, md, NOTHING, type SafeMarkdown, SEPARATOR } from './markdown.ts';

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

function named(known: readonly Pick<KnownFinding, 'level' | 'label'>[], text: SafeMarkdown): SafeMarkdown {
  if (known.length === 0) return NOTHING;
  const names = known
    .slice(0, MOST_NAMED)
    .map(({ level, label }) => join([md`${severityLabel({ level, word: '' })}`, inlineCode(label)], md` `));
  const more = known.length > MOST_NAMED ? [md`${known.length - MOST_NAMED} more`] : [];
  return md`${known.length} ${text} (${join([...names, ...more], md`, `)})`;
}
