import { changedFiles } from './changed-lines.ts';
import { findCodeVulnerabilities, isCode } from './code-engine.ts';
import { findCredentials } from './credential-engine.ts';
import { textLines } from './decode-text.ts';
import { type BlobEntry, listTree, readTexts, type SourceText } from './source-files.ts';
import type { LineRange, LocatedVulnerability, Vulnerability } from './vulnerability.ts';

/** The code to analyze: the changes since the base. Without a base, the whole commit. */
export interface AnalysisTarget {
  readonly gitDir: string;
  readonly base: string | null;
  readonly commit: string;
  /** Selects the files to analyze. Default: all files. */
  readonly inScope?: (path: string) => boolean;
}

interface Candidate extends BlobEntry {
  /** The lines in which vulnerabilities are reported. Undefined means all lines. */
  readonly changed?: readonly LineRange[];
}

export type Analysis = Awaited<ReturnType<typeof analyze>>;

/**
 * Runs the code engine and the credential engine on the target. Sorts the result by path and line. Throws if git cannot
 * read the commits. Throws `MissingObjects` if the repository lacks a file to read. All files that were read were
 * searched for credentials. Only JavaScript and TypeScript have code rules. The skipped files are binary files, files
 * that are too large, and submodules. `anyCode` is true if at least one file to read has code rules.
 */
export async function analyze(target: AnalysisTarget) {
  const { files, leftOut } = await candidatesOf(target);
  const byBlob = Map.groupBy<string, Candidate>(files, (file) => file.blob);
  const vulnerabilities: LocatedVulnerability[] = [];
  let filesRead = 0;
  let codeFilesRead = 0;
  for await (const source of readTexts(target.gitDir, [...byBlob.keys()])) {
    for (const file of byBlob.get(source.blob) ?? []) {
      filesRead += 1;
      if (isCode(file.path)) codeFilesRead += 1;
      vulnerabilities.push(...(await vulnerabilitiesOf(file, source)));
    }
  }
  return {
    vulnerabilities: vulnerabilities.sort((a, b) =>
      a.path < b.path ? -1 : a.path > b.path ? 1 : a.shown.start - b.shown.start,
    ),
    filesRead,
    codeFilesRead,
    filesSkipped: files.length - filesRead + leftOut,
    anyCode: files.some((file) => isCode(file.path)),
  };
}

async function vulnerabilitiesOf(
  file: Candidate,
  { bytes, text }: SourceText,
): Promise<LocatedVulnerability[]> {
  const credentials = await findCredentials(file.path, text);
  const code = await findCodeVulnerabilities(file.path, text);
  // If the credential engine found the same vulnerability, the result of the code engine is left out.
  const isReported = ({ rule, places }: Vulnerability) =>
    credentials.some((known) => known.rule.cwe === rule.cwe && overlap(known.places[0], places[0]));
  const found = [...code.filter((one) => !isReported(one)), ...credentials];
  return placed(found, file.changed === undefined ? undefined : textLines(bytes, file.changed));
}

async function candidatesOf({ gitDir, base, commit, inScope = () => true }: AnalysisTarget) {
  if (base === null)
    return { files: (await listTree(gitDir, commit)).filter((file) => inScope(file.path)), leftOut: 0 };
  const { files, leftOut } = await changedFiles(gitDir, base, commit);
  return { files: files.filter((file) => inScope(file.path)), leftOut: leftOut.filter(inScope).length };
}

/**
 * Leaves out vulnerabilities outside the changed lines. Counts occurrences in the whole file. The identity of a
 * vulnerability is then the same in a diff scan and in a full scan.
 */
function placed(
  vulnerabilities: readonly Vulnerability[],
  changed: readonly LineRange[] | undefined,
): LocatedVulnerability[] {
  const counts = new Map<string, number>();
  return [...vulnerabilities]
    .sort((a, b) => a.places[0].start - b.places[0].start)
    .flatMap((vulnerability) => {
      const key = `${vulnerability.rule.id}\n${vulnerability.snippet}`;
      const occurrence = counts.get(key) ?? 0;
      counts.set(key, occurrence + 1);
      const shown = vulnerability.places.find(
        (place) => changed === undefined || changed.some((range) => overlap(range, place)),
      );
      return shown === undefined ? [] : [{ ...vulnerability, shown, occurrence }];
    });
}

function overlap(a: LineRange, b: LineRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
