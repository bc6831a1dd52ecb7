import { scanKindOf } from '../domain/target.ts';
import { cutCharacters } from '../text/text-limit.ts';
import { allowedLinks } from './links.ts';
import { inlineCode, link, md, NOTHING, type SafeMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

const LONGEST_NAME = 100;

/** Says where to read the findings if this report shows only their labels. Empty if the report withholds nothing. */
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

/** Says the same as `readOnSection` in one line for the log. The caller escapes the line. */
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

/**
 * The address of the code scanning page, which GitHub shows to users with write access. A push has no SARIF file, so
 * its report does not link to that page.
 */
function codeScanningPage({ target, serverUrl }: Report): string | undefined {
  if (target === undefined || scanKindOf(target) !== 'full') return undefined;
  const { owner, name } = target.repository;
  return `${serverUrl}/${owner}/${name}/security/code-scanning`;
}
