import type { SgNode } from '@ast-grep/napi';
import { bindingOf } from './bindings.ts';
import { isConcatenation, MOST_STEPS, unwrap } from './expressions.ts';
import { type RequestSource, requestSource } from './request-source.ts';

type Piece = { readonly text: string } | { readonly node: SgNode };

/** Matches the beginning of an address, such as `https://`. Such a beginning does not determine the host. */
const OPEN = /^(?:\/?|[a-z][a-z\d+.-]*:|(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*)$/i;

/**
 * Returns the request data that determines the host of an address. Undefined if the text before the data determines the
 * host.
 */
export function hostFromRequest(address: SgNode): RequestSource | undefined {
  let before = '';
  for (const piece of piecesOf(address, MOST_STEPS)) {
    if ('node' in piece) {
      const source = requestSource(piece.node);
      return source?.isOwnAddress === false ? source : undefined;
    }
    before += piece.text;
    if (!OPEN.test(before)) return undefined;
  }
  return undefined;
}

/** Returns the operands of a composed string in order. Replaces each name by its value. */
function piecesOf(expression: SgNode, steps: number): Piece[] {
  const node = unwrap(expression);
  if (node.is('string')) return [{ text: node.text().slice(1, -1) }];
  if (node.is('template_string')) {
    return node
      .namedChildren()
      .flatMap((child) =>
        child.is('template_substitution') ? piecesOf(child, steps) : [{ text: child.text() }],
      );
  }
  if (isConcatenation(node)) {
    return [node.field('left'), node.field('right')].flatMap((side) =>
      side === null ? [] : piecesOf(side, steps),
    );
  }
  const binding = node.is('identifier') && steps > 0 ? bindingOf(node) : undefined;
  return binding?.kind === 'value' && binding.whole ? piecesOf(binding.value, steps - 1) : [{ node }];
}
