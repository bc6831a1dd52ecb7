import { changedFiles } from './changed-lines.ts';
import { findCodeFlaws, isCode } from './code-engine.ts';
import { findCredentials } from './credential-engine.ts';
import type { Flaw, LineRange } from './flaw.ts';
import { type BlobEntry, listTree, readTexts } from './source-files.ts';

/** What is to be analyzed: with a base only what changed since then, otherwise the whole commit. */
export interface AnalysisTarget {
  readonly gitDir: string;
  readonly base: string | null;
  readonly commit: string;
  /** The files to look at; absent: all of them. */
  readonly inScope?: (path: string) => boolean;
}

/** A flaw where it is to be shown, and how often the same code stands before it in the file. */
export interface PlacedFlaw extends Flaw {
  readonly shown: LineRange;
  readonly occurrence: number;
}

export interface Analysis {
  readonly flaws: readonly PlacedFlaw[];
  readonly filesRead: number;
  /** Binary, missing, or larger than the analyzer reads. */
  readonly filesSkipped: number;
  /** Whether any file was one that the code rules understand. */
  readonly anyCode: boolean;
}

interface Candidate extends BlobEntry {
  /** Undefined: every line. */
  readonly changed?: readonly LineRange[];
}

/** Runs both engines over the target. Sorted by path and line. Throws when git cannot read the commits. */
export async function analyze(target: AnalysisTarget): Promise<Analysis> {
  const { files, leftOut } = await candidatesOf(target);
  const texts = await readTexts(
    target.gitDir,
    files.map((file) => file.blob),
  );
  const flaws: PlacedFlaw[] = [];
  let filesRead = 0;
  for (const file of files) {
    const content = texts.get(file.blob);
    if (content === undefined) continue;
    filesRead += 1;
    const credentials = await findCredentials(file.path, content);
    const code = await findCodeFlaws(file.path, content);
    const found = [...code.filter((flaw) => !isToldBetter(flaw, credentials)), ...credentials];
    flaws.push(...placed(found, file.changed));
  }
  return {
    flaws: flaws.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.shown.start - b.shown.start)),
    filesRead,
    filesSkipped: files.length - filesRead + leftOut,
    anyCode: files.some((file) => isCode(file.path)),
  };
}

async function candidatesOf(
  target: AnalysisTarget,
): Promise<{ files: readonly Candidate[]; leftOut: number }> {
  const { gitDir, base, commit, inScope = () => true } = target;
  const all: { files: readonly Candidate[]; leftOut: number } =
    base === null
      ? { files: await listTree(gitDir, commit), leftOut: 0 }
      : await changedFiles(gitDir, base, commit);
  return { files: all.files.filter((file) => inScope(file.path)), leftOut: all.leftOut };
}

/** A credential whose form is known is one finding, not two because it is also given to a variable. */
function isToldBetter(flaw: Flaw, credentials: readonly Flaw[]): boolean {
  return credentials.some(
    (known) => known.rule.cwe === flaw.rule.cwe && overlap(known.places[0], flaw.places[0]),
  );
}

/** Occurrences are counted over the whole file, so that a flaw is the same one in a diff scan and a full scan. */
function placed(flaws: readonly Flaw[], changed: readonly LineRange[] | undefined): PlacedFlaw[] {
  const counts = new Map<string, number>();
  return [...flaws]
    .sort((a, b) => a.places[0].start - b.places[0].start)
    .flatMap((flaw) => {
      const key = `${flaw.rule.id}\n${flaw.snippet}`;
      const occurrence = counts.get(key) ?? 0;
      counts.set(key, occurrence + 1);
      const shown = flaw.places.find(
        (place) => changed === undefined || changed.some((range) => overlap(range, place)),
      );
      return shown === undefined ? [] : [{ ...flaw, shown, occurrence }];
    });
}

function overlap(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
