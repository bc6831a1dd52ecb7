import type { Answer } from '../faults/interception.ts';
import { isSame } from './authorize.ts';
import { labelOf } from './reach.ts';
import type { Publication, World } from './world.ts';

/** The page of a published scan or finding; behind its password where it has one. Needs no token. */
export function showPublicPage(
  world: World,
  kind: Publication['kind'],
  publicId: string,
  password: string | undefined,
): Answer {
  const publication = world.publications.find((one) => one.kind === kind && one.publicId === publicId);
  if (publication === undefined) return page(404, 'Not found', '<p>There is no such page.</p>');
  const wanted = publication.accessPassword;
  if (wanted !== null && (password === undefined || !isSame(password, wanted))) {
    return page(
      password === undefined ? 401 : 403,
      'Password needed',
      '<form method="post"><label>Password <input type="password" name="password"></label> <button>Show</button></form>',
    );
  }
  return publication.kind === 'scan' ? scanPage(world, publication) : findingPage(world, publication);
}

function scanPage(world: World, publication: Publication): Answer {
  const scan = world.scans.find((one) => one.id === publication.subjectId);
  const rows = (scan?.found ?? []).map(({ findingId, flaw }) => {
    const severity = world.findings.get(findingId)?.severityOverride ?? flaw.rule.severity;
    const cells = [labelOf(findingId), severity, flaw.rule.title, `${flaw.path}:${flaw.shown.start}`];
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  });
  const head = `<p>Commit <code>${escapeHtml(scan?.commit ?? '')}</code>, ${rows.length} findings.</p>`;
  return page(200, 'Security scan', `${head}<table>${rows.join('')}</table>`);
}

function findingPage(world: World, publication: Publication): Answer {
  const flaw = world.findings.get(publication.subjectId)?.flaw;
  const { title = '', description = '', recommendedFix = '' } = flaw?.rule ?? {};
  return page(200, title, `<p>${escapeHtml(description)}</p><p>${escapeHtml(recommendedFix)}</p>`);
}

function page(status: number, title: string, body: string): Answer {
  const safe = escapeHtml(title);
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${safe}</title><h1>${safe}</h1>${body}</html>\n`,
  };
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
