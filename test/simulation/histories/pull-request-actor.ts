import type { GitFixture } from '../../../sandbox/git-fixture.ts';
import { type HistoryEnvironment, PULL_REQUEST, SECOND_PULL_REQUEST } from './environment.ts';
import { BASE_BRANCHES, type BaseBranch, type HeadName, TIPS } from './fixture-repository.ts';
import type { Act } from './plan.ts';
import type { Workflow } from './workflow.ts';

type PullRequestAct = Extract<
  Act,
  { readonly kind: 'close' | 'reopen' | 'delete base' | 'move base' | 'second' | 'retarget' }
>;

/** Simulates people who push, close, reopen and retarget the pull requests, and move their base branches. */
export class PullRequestActor {
  readonly #environment: HistoryEnvironment;
  readonly #repository: GitFixture;
  readonly #workflow: Workflow;

  constructor(environment: HistoryEnvironment, repository: GitFixture, workflow: Workflow) {
    this.#environment = environment;
    this.#repository = repository;
    this.#workflow = workflow;
  }

  change(act: PullRequestAct): void {
    const { pulls, branchHead } = this.#environment;
    const workflow = this.#workflow;
    switch (act.kind) {
      case 'close': {
        const pull = this.pull(act);
        if (pulls.now(pull).state !== 'open') return;
        pulls.change(pull, { state: 'closed' });
        if (act.runs) workflow.on({ pull, action: 'closed' }, act.trouble);
        return;
      }
      case 'reopen': {
        const pull = this.pull(act);
        if (pulls.now(pull).state === 'open') return;
        this.#reopen(pull);
        workflow.on({ pull, action: 'reopened' }, act.trouble);
        return;
      }
      case 'delete base':
        pulls.setTip(act.branch, undefined);
        for (const pull of this.#open()) {
          if (pulls.now(pull).baseRef === act.branch) pulls.change(pull, { state: 'closed' });
        }
        return;
      case 'move base':
        this.#moveBase(act.branch);
        return;
      case 'second':
        if (pulls.numbers().includes(SECOND_PULL_REQUEST)) return;
        this.#restore(act.base);
        pulls.open(SECOND_PULL_REQUEST, branchHead(), act.base);
        workflow.on({ pull: SECOND_PULL_REQUEST, action: 'opened' }, act.trouble);
        return;
      case 'retarget': {
        const pull = this.pull(act);
        const { baseRef: from, state } = pulls.now(pull);
        if (state !== 'open') return;
        const baseRef = from === 'main' ? 'stack' : 'main';
        this.#restore(baseRef);
        pulls.change(pull, { baseRef });
        const changes = { base: { ref: { from } } };
        if (act.runs) workflow.on({ pull, action: 'edited', changes }, act.trouble);
      }
    }
  }

  /** Maps the number in an act to the number of an existing pull request. */
  pull({ pull }: { readonly pull: number }): number {
    const numbers = this.#environment.pulls.numbers();
    return numbers[pull % numbers.length] ?? PULL_REQUEST;
  }

  #open(): readonly number[] {
    const { pulls } = this.#environment;
    return pulls.numbers().filter((number) => pulls.now(number).state === 'open');
  }

  /**
   * Pushes to the branch of the open pull requests. If none is open, nothing is pushed.
   * @returns the numbers of the open pull requests
   */
  push(head: HeadName | 'back'): readonly number[] {
    const headSha = head === 'back' ? this.#headBefore() : this.#repository.id(head);
    const open = this.#open();
    if (open.length > 0) this.#environment.setBranchHead(headSha);
    for (const pull of open) this.#environment.pulls.change(pull, { headSha });
    return open;
  }

  anyOtherHead(): HeadName {
    return this.#environment.branchHead() === this.#repository.id('medium 2') ? 'vulnerable 2' : 'medium 2';
  }

  /** The head before the newest push. If nothing was pushed, the current head. */
  #headBefore(): string {
    const head = this.#environment.branchHead();
    const moments = this.#environment.pulls.momentsOf(PULL_REQUEST);
    return moments.findLast(({ record }) => record.headSha !== head)?.record.headSha ?? head;
  }

  #reopen(pull: number): void {
    const { pulls, branchHead } = this.#environment;
    this.#restore(pulls.now(pull).baseRef);
    pulls.change(pull, { state: 'open', headSha: branchHead() });
  }

  /** Makes sure that the base branch exists. A branch that is created again starts at its first commit. */
  #restore(name: string): void {
    const branch = BASE_BRANCHES.find((one) => one === name);
    if (branch === undefined || this.#environment.pulls.tip(branch) !== undefined) return;
    this.#environment.pulls.setTip(branch, this.#repository.id(TIPS[branch][0]));
  }

  #moveBase(branch: BaseBranch): void {
    const { pulls } = this.#environment;
    const [first, second] = TIPS[branch].map((name) => this.#repository.id(name));
    if (pulls.tip(branch) !== undefined) pulls.setTip(branch, pulls.tip(branch) === first ? second : first);
  }

  openOnlyTheFirst(): void {
    const { pulls } = this.#environment;
    if (pulls.now(PULL_REQUEST).state !== 'open') this.#reopen(PULL_REQUEST);
    for (const pull of this.#open()) {
      if (pull !== PULL_REQUEST) pulls.change(pull, { state: 'closed' });
    }
  }
}
