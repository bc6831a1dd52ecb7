import type { Answer, Client } from './client.ts';
import type { Scope } from './session.ts';

export type Ids = {
  readonly repository: string;
  readonly commit: string;
  readonly scan: string;
  readonly finding: string;
  readonly note: string;
  readonly area: string;
};

/** A well-formed call of every documented endpoint of a project, with these ids, and the scope that it needs. */
export function everyCall(
  client: Client,
  ids: Ids,
): (readonly [name: string, scope: Scope, call: () => Promise<Answer>])[] {
  const { repository, commit, scan, finding, note, area } = ids;
  return [
    ['list repositories', 'read', () => client.repositories()],
    ['list presets', 'read', () => client.presets()],
    ['read guidance', 'read', () => client.guidance(repository)],
    ['write guidance', 'guidance:write', () => client.setGuidance(repository, { content: null })],
    ['list audit areas', 'read', () => client.auditAreas(repository)],
    ['add an audit area', 'guidance:write', () => client.addAuditArea(repository, { name: 'Never added' })],
    ['delete an audit area', 'guidance:write', () => client.deleteAuditArea(repository, area)],
    ['list scans', 'read', () => client.scans()],
    [
      'launch',
      'scans:launch',
      () => client.launch({ repository, commit, presetRef: 'any', creditBudget: 20 }),
    ],
    ['read a scan', 'read', () => client.scan(scan)],
    ['cancel', 'scans:launch', () => client.cancel(scan)],
    ['publish a scan', 'publish', () => client.publishScan(scan, {})],
    ['list findings', 'read', () => client.findings()],
    ['read a finding', 'read', () => client.finding(finding)],
    ['add a note', 'findings:write', () => client.addNote(finding, { content: 'Never added' })],
    ['pin a note', 'findings:write', () => client.pinNote(finding, note, { kind: 'resolution' })],
    ['resolve', 'findings:write', () => client.resolve(finding, { resolutionStatus: 'RESOLVED' })],
    ['publish a finding', 'publish', () => client.publishFinding(finding, {})],
  ];
}
