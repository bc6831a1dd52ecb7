import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGit } from '../git-process.ts';
import { writePage } from '../preview/write-page.ts';
import { ownerNameOf } from '../remote-address.ts';
import type { LocalChange } from './local-change.ts';

const README = path.resolve(import.meta.dirname, '../../README.md');
const WORKFLOW = '.github/workflows/scangate.yml';

/**
 * Says what to do after the demo. For a change in a clone, also writes a workflow file into the folder of the demo's
 * page. Writes nothing into the clone.
 */
export async function nextSteps(change: LocalChange, isSample: boolean): Promise<string> {
  if (isSample) {
    return [
      'What to do next:',
      '- Open the page above in a browser.',
      '- See everything that the run left: npm run demo -- --all',
      '- Try a change of your own clone, which is only read: npm run demo -- --repo PATH --base REF --head REF',
      '- Add Scangate to your repository: README.md, Quick start.',
    ].join('\n');
  }
  const { directory } = change;
  const owned = ownerNameOf(await ask(directory, 'config', '--get', 'remote.origin.url'));
  const workflow = workflowFor(readFileSync(README, 'utf8'), await branchToProtect(change));
  const written = fileURLToPath(writePage('scangate.yml', workflow));
  const settings =
    owned === undefined ? '' : ` (on GitHub: https://github.com/${owned}/settings/secrets/actions)`;
  return [
    'What to do next:',
    '- Open the page above in a browser.',
    `- Copy the workflow for this repository: ${written} to ${path.join(directory, WORKFLOW)}`,
    '- Put the address of your service into its base-url, and check the branch in it.',
    `- Save an API token of your service as the repository secret SCANGATE_API_TOKEN${settings}.`,
  ].join('\n');
}

/** Returns the workflow of the quick start, for one branch. */
export function workflowFor(readme: string, branch: string): string {
  const [, workflow] = /^```yaml\n(# \.github\/workflows\/scangate\.yml\n[\s\S]*?)^```$/m.exec(readme) ?? [];
  if (workflow === undefined) throw new Error('the README has no workflow');
  const name = /^[\w./-]+$/.test(branch) ? branch : JSON.stringify(branch);
  return workflow.replace('branches: [main]', () => `branches: [${name}]`);
}

/**
 * Chooses the branch for the workflow. The first choice is the base of the change, if it is a branch. The second choice
 * is the remote's default branch, and the last choice is `main`.
 */
async function branchToProtect({ directory, baseRef }: LocalChange): Promise<string> {
  const named = baseRef.replace(/^(?:refs\/heads\/|(?:refs\/remotes\/)?origin\/)/, '');
  // `origin/HEAD` stands for the remote's default branch. No branch has the name `HEAD`.
  const refs = named === 'HEAD' ? [] : [`refs/heads/${named}`, `refs/remotes/origin/${named}`];
  for (const ref of refs) {
    if ((await ask(directory, 'show-ref', '--verify', '--hash', ref)) !== undefined) return named;
  }
  const remote = await ask(directory, 'symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD');
  return remote?.replace(/^origin\//, '') ?? 'main';
}

async function ask(directory: string, ...args: string[]): Promise<string | undefined> {
  const { code, stdout } = await runGit(directory, args);
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}
