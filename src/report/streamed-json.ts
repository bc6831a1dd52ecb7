import { escapeJsonForLog } from '../text/escape-json.ts';

/**
 * A JSON document in pieces, ending in a line feed, so that a list of ten thousand never is one text.
 * @param document its last member is an empty array, at whatever depth: the items' place
 * @param write makes one item, when its turn comes
 */
export function* streamedJson<Item>(
  document: object,
  items: readonly Item[],
  write: (item: Item) => object,
): Generator<string> {
  const text = escapeJsonForLog(JSON.stringify(document, null, 2));
  // The items are the last member, so their brackets are the last pair.
  const place = text.lastIndexOf('[]') + 1;
  yield text.slice(0, place);
  for (const [index, item] of items.entries())
    yield `${index === 0 ? '' : ','}\n${escapeJsonForLog(JSON.stringify(write(item)))}`;
  yield `${items.length === 0 ? '' : '\n'}${text.slice(place)}\n`;
}
