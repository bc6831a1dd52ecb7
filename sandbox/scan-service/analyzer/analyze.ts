import { changedFiles } from './changed-lines.ts';
import { findCodeVulnerabilities, isCode } from './code-engine.ts';
import { findCredentials } from './credential-engine.ts';
import { type BlobEntry, listTree, readTexts } from './source-files.ts';
import type { LineRange, Vulnerability } from './vulnerability.ts';

/** What is to be analyzed: with a base only what changed since then, otherwise the whole commit. */
export interface AnalysisTarget {
  readonly gitDir: string;
  readonly base: string | null;
  readonly commit: string;
  /** The files to look at; absent: all of them. */
  readonly inScope?: (path: string) => boolean;
}

/** A vulnerability with the lines to show, and the number of earlier occurrences of the same code in the file. */
export interface LocatedVulnerability extends Vulnerability {
  readonly shown: LineRange;
  readonly occurrence: number;
}

export interface Analysis {
  readonly vulnerabilities: readonly LocatedVulnerability[];
  readonly filesRead: number;
  /** Binary, missing or too large files. */
  readonly filesSkipped: number;
  /** Whether the code rules understand any of the files. */
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
  const vulnerabilities: LocatedVulnerability[] = [];
  let filesRead = 0;
  for (const file of files) {
    const content = texts.get(file.blob);
    if (content === undefined) continue;
    filesRead += 1;
    const credentials = await findCredentials(file.path, content);
    const code = await findCodeVulnerabilities(file.path, content);
    const found = [
      ...code.filter((vulnerability) => !isReportedAsCredential(vulnerability, credentials)),
      ...credentials,
    ];
    vulnerabilities.push(...placed(found, file.changed));
  }
  return {
    vulnerabilities: vulnerabilities.sort((a, b) =>
      a.path < b.path ? -1 : a.path > b.path ? 1 : a.shown.start - b.shown.start,
    ),
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

/** A credential of a known form that is assigned to a variable is one finding, not two. */
function isReportedAsCredential(
  vulnerability: Vulnerability,
  credentials: readonly Vulnerability[],
): boolean {
  return credentials.some(
    (known) => known.rule.cwe === vulnerability.rule.cwe && overlap(known.places[0], vulnerability.places[0]),
  );
}

/** Counts occurrences in the whole file, so that a vulnerability is the same in a diff scan and a full scan. */
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
