// Replaces content-type, which checks the whole grammar of the header. octokit needs the type and the charset, to decide
// whether an answer is JSON or text.
export function parse(header) {
  const [type] = header.split(';', 1);
  const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(header) ?? [];
  return { type: type.trim().toLowerCase(), parameters: charset === undefined ? {} : { charset } };
}
