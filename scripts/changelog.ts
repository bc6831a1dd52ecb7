/** The notes of a release. If the tag must not be released, a sentence that says why, and what to do. */
export type ReleaseNotes =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: string };

/**
 * Reads the section for a tag from the changelog, without its heading.
 * @param tag `vX.Y.Z`
 * @param version the version in package.json
 */
export function releaseNotes(tag: string, version: string, changelog: string): ReleaseNotes {
  const fault = (sentence: string): ReleaseNotes => ({ ok: false, fault: sentence });
  if (!/^v(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(tag)) {
    return fault(`A release is tagged vX.Y.Z, not "${tag}": push such a tag.`);
  }
  if (tag !== `v${version}`) {
    return fault(`package.json says ${version}, the tag ${tag}: set the version by a commit, then tag that.`);
  }
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => one.startsWith(`[${version}]`));
  if (section === undefined) {
    return fault(`CHANGELOG.md has no section [${version}]: make it of what is under [Unreleased].`);
  }
  const [heading = '', ...lines] = section.split('\n');
  if (!/^\[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading.trimEnd())) {
    return fault(`The heading of ${version} in CHANGELOG.md has no date: "## [${version}] - YYYY-MM-DD".`);
  }
  const text = lines
    .join('\n')
    .replace(/^\[[^\]]+\]: .*$/gm, '')
    .trim();
  return text === ''
    ? fault(`The section [${version}] of CHANGELOG.md is empty: say what changed.`)
    : { ok: true, text };
}
