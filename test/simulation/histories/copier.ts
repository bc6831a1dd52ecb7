import { TOKEN_AUTHOR } from '../../../sandbox/github/comments.ts';
import type { HistoryEnvironment } from './environment.ts';
import type { Act } from './plan.ts';

/** What the copier wrote to GitHub. The copier is a workflow with `checks: write` and `pull-requests: write`. */
export interface Copies {
  /** The ids of check runs that the workflow created. */
  readonly checkRuns: Set<number>;
  /** The marks that the workflow overwrote, and when. */
  readonly overwritten: { readonly mark: string; readonly at: number }[];
  /** Whether the workflow created or edited a comment. */
  comments: boolean;
}

export function noCopies(): Copies {
  return { checkRuns: new Set(), overwritten: [], comments: false };
}

type CopierAct = Extract<Act, { readonly kind: 'copier' }>;

const STATE_LINE = /^<!-- scangate-state (.*) -->$/m;

/** Copies whole marks. The copier does not know the token of the service, so it cannot write new marks. */
export async function copy(
  environment: Pick<HistoryEnvironment, 'github' | 'branchHead'>,
  act: CopierAct,
  copies: Copies,
  at: number,
): Promise<void> {
  const { checkRuns, comments } = environment.github;
  const marked = checkRuns.all.filter(({ externalId, id }) => externalId && !copies.checkRuns.has(id));
  const source = marked[act.of % Math.max(marked.length, 1)];
  const mark = source?.externalId;
  switch (act.does) {
    case 'new check run': {
      if (source === undefined || !mark) return;
      const headSha = act.onItsHead ? source.headSha : environment.branchHead();
      const answer = await checkRuns.create(
        {
          name: act.sameName ? source.name : 'Copied',
          head_sha: headSha,
          external_id: mark,
          ...(act.completed ? { status: 'completed', conclusion: 'success' } : { status: 'in_progress' }),
        },
        async (sha) => sha,
      );
      const created = checkRuns.all.at(-1);
      if (answer.status === 201 && created !== undefined) copies.checkRuns.add(created.id);
      return;
    }
    case 'overwrite check run': {
      const target = marked.at(-1);
      if (!mark || !target?.externalId || target.externalId === mark) return;
      copies.overwritten.push({ mark: target.externalId, at });
      checkRuns.update(target.id, { external_id: mark });
      return;
    }
    case 'edit comment':
    case 'copy comment': {
      const [comment] = comments.all.filter(({ body }) => STATE_LINE.test(body)).slice(-1);
      const before = comment && STATE_LINE.exec(comment.body)?.[1];
      if (comment === undefined || before === undefined || !mark) return;
      copies.comments = true;
      const body = comment.body.replace(before.split(';')[0] ?? before, () => mark);
      if (act.does === 'edit comment') comments.update(comment.id, { body });
      else comments.add({ issue: comment.issue, ...TOKEN_AUTHOR, body });
    }
  }
}
