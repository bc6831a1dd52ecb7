import { CHANGES, type Comment, isChange, type Label } from './plan.ts';

/** The text of a command, and which findings it names. */
export interface CommandLine {
  readonly body: string;
  /** The full ids of the findings. */
  readonly named: readonly string[];
  /** The labels that name no finding of the scan. */
  readonly wrong: readonly string[];
}

/**
 * Writes the text of a command.
 * @param ids the findings of the scan, at least one
 * @param other a finding of another scan
 */
export function commandLineOf(
  comment: Comment,
  ids: readonly string[],
  other: string | undefined,
): CommandLine {
  const { word, text, withReason } = comment;
  const labels = word === 'recheck' ? [] : comment.labels;
  const idOf = ({ finding }: Label) => ids[finding % ids.length] ?? '';
  const write = (label: Label) => written(label.as, idOf(label), other);
  const isWrong = ({ as }: Label) => as === 'ZK-NOTTHERE' || as === 'of another scan';
  const code = withReason && isChange(word) ? CHANGES[word][1] : undefined;
  const line = ['/scangate', word, ...labels.map(write), ...(code === undefined ? [] : [code])].join(' ');
  return {
    body: `${line}\n${text}`,
    named: [...new Set(labels.filter((one) => !isWrong(one)).map(idOf))],
    wrong: labels.filter(isWrong).map(write),
  };
}

function written(as: Label['as'], id: string, other: string | undefined): string {
  const short = id.slice(-8);
  switch (as) {
    case 'label':
      return `ZK-${short}`;
    case 'lower case':
      return `zk-${short.toLowerCase()}`;
    case 'without the prefix':
      return short;
    case 'full id':
      return id;
    case 'of another scan':
      return other === undefined ? 'ZK-NOTTHERE' : `ZK-${other.slice(-8)}`;
    case 'ZK-NOTTHERE':
      return as;
  }
}
