import { ASSUMED } from '../../src/scan-api/wire.ts';

/** The other names under which the action looks for the same thing, dotted where they lead into a record. */
export function aliasesOf(name: string): readonly string[] {
  return GROUPS.filter((group) => group.includes(name)).flat();
}

const { finding, launchedScan, scan, token } = ASSUMED;
const { location, ...fields } = finding;
const inPlaces = (members: readonly string[]) =>
  location.places.flatMap(([prefix]) => members.map((member) => prefix + member));
const GROUPS: readonly (readonly string[])[] = [
  launchedScan,
  ...[scan, fields, token].flatMap((record) => Object.values<readonly string[]>(record)),
  location.places.flatMap(([prefix, files]) => files.map((file) => prefix + file)),
  inPlaces(location.startLine),
  inPlaces(location.endLine),
].map((group) => group.map((name) => name.replaceAll(/\.0(?=\.|$)/g, '.[]')));
