import type { IncomingHttpHeaders } from 'node:http';
import { readContract } from '../../sandbox/contract/read-contract.ts';
import { createTrafficCheck, type Sent } from '../../sandbox/contract/traffic.ts';
import type { Answer } from '../../sandbox/faults/interception.ts';
import type { ScanServiceOptions } from '../../sandbox/scan-service/options.ts';

/** The prefix of the contract's paths. */
const PREFIX = '/api/v1';
/** The user agent of the action. */
const ACTION = 'scangate';
const LAUNCH_NAMES: Readonly<Record<string, string>> = { repository: 'repositoryId', commit: 'commit' };

const traffic = createTrafficCheck(readContract());

/** The options with which a test started the fake server. */
type Settings = Pick<ScanServiceOptions, 'hideFields' | 'launchFields'>;

export interface Arrived {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** @param status the status of the answer; undefined if the request was not processed */
export function requestBreaches(
  arrived: Arrived,
  { launchFields = {} }: Settings,
  status: number | undefined,
): string[] {
  const sent = sentOf(arrived);
  const isAction = arrived.headers['user-agent'] === ACTION;
  const isAccepted = status !== undefined && status < 400;
  if (sent === undefined || !(isAction || isAccepted)) return [];
  const isRenamed = Object.entries(launchFields).some(([field, name]) => LAUNCH_NAMES[field] !== name);
  const isLaunch = sent.method === 'POST' && sent.path.endsWith('/scans');
  return isRenamed && isLaunch ? [] : traffic.request(sent, isAction);
}

export function answerBreaches(arrived: Arrived, { hideFields = {} }: Settings, answer: Answer): string[] {
  const sent = sentOf(arrived);
  const isComplete = Object.keys(hideFields).length === 0;
  return sent === undefined ? [] : traffic.answer(sent, answer, isComplete);
}

/**
 * The request as the contract sees it. Undefined for paths that the contract does not cover: public pages, and the
 * contract itself.
 */
function sentOf({ path, ...rest }: Arrived): Sent | undefined {
  return path.startsWith(`${PREFIX}/`) ? { ...rest, path: path.slice(PREFIX.length) } : undefined;
}

export function parsedBody(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
