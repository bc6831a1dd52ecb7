import { escapeJsonForLog } from '../text/escape-json.ts';

/**
 * Renders a JSON document in chunks, with a line feed at the end. Ten thousand items never form one string.
 * @param document its last member, at any depth, is an empty array, which gets the items
 * @param write makes the JSON of one item when its turn comes
 */
export function* streamedJson<Item>(
  document: object,
  items: readonly Item[],
  write: (item: Item) => object,
): Generator<string> {
  const text = escapeJsonForLog(JSON.stringify(document, null, 2));
  // The empty array is the last member of the document, so its brackets are the last ones.
  const place = text.lastIndexOf('[]') + 1;
  yield text.slice(0, place);
  for (const [index, item] of items.entries())
    yield `${index === 0 ? '' : ','}\n${escapeJsonForLog(JSON.stringify(write(item)))}`;
  yield `${items.length === 0 ? '' : '\n'}${text.slice(place)}\n`;
}
