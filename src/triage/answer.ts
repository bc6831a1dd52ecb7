import { type Result, sentencesOf } from '../domain/result.ts';
import { md, toText } from '../report/markdown.ts';
import { type Changed, isWhole } from './change-command.ts';
import { changedLines, renderChanged } from './change-texts.ts';
import type { Command } from './command.ts';
import type { Refusal } from './refusal.ts';
import { isFailure, type Place, type Rechecked } from './rerun-gate.ts';
import { authorOf, renderNotChanged, renderReply, renderSummary, resultLine, toCommand } from './texts.ts';

/** What the run says and does after a command. */
export interface Answer {
  /** The lines of the log. The log escapes them. */
  readonly lines: readonly string[];
  /** Markdown of the reply. Undefined if the reaction says enough. */
  readonly reply: string | undefined;
  /** Markdown of the job summary. */
  readonly summary: string;
  /** Undefined if the comment with the command was deleted. */
  readonly reaction: '+1' | 'confused' | undefined;
  readonly isRerun: boolean;
  readonly hasFailed: boolean;
}

/** Makes the answer to `/scangate recheck`. Pure. */
export function answerOfRecheck(command: Command, done: Rechecked, place: Place): Answer {
  const isRerun = done.kind === 'rerun';
  return {
    lines: [resultLine(done)],
    reply: isRerun ? undefined : answering(command, renderReply(done, place), place),
    summary: renderSummary({ rechecked: [done], left: 0, more: false, fault: undefined }, place),
    reaction: isRerun ? '+1' : 'confused',
    isRerun,
    hasFailed: isFailure(done),
  };
}

/** Makes the answer to a command that changes findings. Reacts with 👍 if it changed every finding that it names. Pure. */
export function answerOfChange(command: Command, changed: Result<Changed, Refusal>, place: Place): Answer {
  if (!changed.ok) {
    const refusal = changed.error;
    const reply = answering(command, renderNotChanged(refusal), place);
    return {
      lines: [`#${command.pullRequest}: no finding was changed. ${sentencesOf(refusal)}`],
      reply,
      summary: summaryOf(reply),
      reaction: refusal.reason === 'deleted' ? undefined : 'confused',
      isRerun: false,
      hasFailed: refusal.isFailure,
    };
  }
  const { rechecked } = changed.value;
  const isDone = isWhole(changed.value.results);
  const reply = renderChanged(changed.value, place);
  return {
    lines: [...changedLines(changed.value), ...(rechecked === undefined ? [] : [resultLine(rechecked)])],
    reply,
    summary: summaryOf(reply),
    reaction: isDone ? '+1' : 'confused',
    isRerun: rechecked?.kind === 'rerun',
    hasFailed: !isDone || (rechecked !== undefined && isFailure(rechecked)),
  };
}

function summaryOf(reply: string): string {
  return `## Triage\n\n${reply}\n`;
}

/** Names the command that a refusal answers, because all commands of a pull request share one reply. */
function answering(command: Command, markdown: string, place: Place): string {
  return `${markdown}\n\n${toText(md`This answers the ${toCommand(command, place)} of ${authorOf(command)}.`)}`;
}
