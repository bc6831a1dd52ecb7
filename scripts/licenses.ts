import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The licences of the packages to which these modules belong, by name, each in full.
 * Throws for a package without a licence text: it may not be passed on.
 * @param modules absolute paths; those outside `node_modules` are the project's own
 */
export function licensesOf(modules: Iterable<string>): string {
  const folders = new Set<string>();
  for (const module of modules) {
    if (module.includes(`${path.sep}node_modules${path.sep}`)) folders.add(packageFolder(module));
  }
  const sections = [...folders].map((folder) => {
    const { name, version }: { name: string; version: string } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((item) => /^(?:licen[cs]e|copying)\b/i.test(item));
    if (file === undefined) throw new Error(`${name} ${version} is bundled and has no licence text`);
    return `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim()}\n`;
  });
  return sections.toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

/** The nearest folder with a named package: a folder of modules may hold a `package.json` that only says its type. */
function packageFolder(module: string): string {
  let folder = path.dirname(module);
  while (path.basename(path.dirname(folder)) !== 'node_modules' && !isScoped(folder)) {
    folder = path.dirname(folder);
  }
  if (!existsSync(path.join(folder, 'package.json'))) throw new Error(`${module} belongs to no package`);
  return folder;
}

function isScoped(folder: string): boolean {
  const scope = path.dirname(folder);
  return path.basename(scope).startsWith('@') && path.basename(path.dirname(scope)) === 'node_modules';
}
