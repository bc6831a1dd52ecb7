import { scanKindOf } from '../domain/target.ts';
import { cutCharacters } from '../text/text-limit.ts';
import { allowedLinks } from './links.ts';
import { inlineCode, link, md, NOTHING, type SafeMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

const LONGEST_NAME = 100;

/** Says where to read the findings of which this report shows only the labels; empty if there are none. */
export function readOnSection(report: Report): SafeMarkdown {
  if (!hasWithheld(report)) return NOTHING;
  const scan = inlineCode(scanOf(report));
  const page = codeScanningPage(report);
  const alerts =
    page === undefined
      ? NOTHING
      : md` If this workflow uploads its ${inlineCode('sarif-file')}, users with write access can also read them in ${link('code scanning', page, allowedLinks(report))}.`;
  return md`**This page may be public, so it shows only the labels of the findings.** To read the findings, open scan ${scan} in the scanning service.${alerts}`;
}

/** The same as one line for the log. Not yet escaped for the log. */
export function readOnLine(report: Report): string | undefined {
  if (!hasWithheld(report)) return undefined;
  const page = codeScanningPage(report);
  const alerts =
    page === undefined
      ? ''
      : ` If this workflow uploads its \`sarif-file\`, users with write access can also read them in code scanning: ${page}`;
  return `This log may be public, so it shows only the labels of the findings. To read the findings, open scan \`${scanOf(report)}\` in the scanning service.${alerts}`;
}

function hasWithheld({ disclosure, verdict }: Report): boolean {
  return disclosure === 'labels' && verdict.findings.total > 0;
}

function scanOf({ scanId = '' }: Report): string {
  return cutCharacters(scanId, LONGEST_NAME);
}

/** GitHub shows code scanning to users with write access. A push has no SARIF file. */
function codeScanningPage({ target, serverUrl }: Report): string | undefined {
  if (target === undefined || scanKindOf(target) !== 'full') return undefined;
  const { owner, name } = target.repository;
  return `${serverUrl}/${owner}/${name}/security/code-scanning`;
}
