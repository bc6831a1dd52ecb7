import type { Answer, Client } from './client.ts';

export type Ids = {
  readonly repository: string;
  readonly commit: string;
  readonly scan: string;
  readonly finding: string;
  readonly note: string;
  readonly area: string;
};

/** A well-formed call of every documented endpoint of a project, with these ids. */
export function everyCall(
  client: Client,
  ids: Ids,
): (readonly [name: string, call: () => Promise<Answer>])[] {
  const { repository, commit, scan, finding, note, area } = ids;
  return [
    ['list repositories', () => client.repositories()],
    ['list presets', () => client.presets()],
    ['read guidance', () => client.guidance(repository)],
    ['write guidance', () => client.setGuidance(repository, { content: null })],
    ['list audit areas', () => client.auditAreas(repository)],
    ['add an audit area', () => client.addAuditArea(repository, { name: 'Never added' })],
    ['delete an audit area', () => client.deleteAuditArea(repository, area)],
    ['list scans', () => client.scans()],
    ['launch', () => client.launch({ repository, commit, presetRef: 'any', creditBudget: 20 })],
    ['read a scan', () => client.scan(scan)],
    ['cancel', () => client.cancel(scan)],
    ['publish a scan', () => client.publishScan(scan, {})],
    ['list findings', () => client.findings()],
    ['read a finding', () => client.finding(finding)],
    ['add a note', () => client.addNote(finding, { content: 'Never added' })],
    ['pin a note', () => client.pinNote(finding, note, { kind: 'resolution' })],
    ['resolve', () => client.resolve(finding, { resolutionStatus: 'RESOLVED' })],
    ['publish a finding', () => client.publishFinding(finding, {})],
  ];
}
