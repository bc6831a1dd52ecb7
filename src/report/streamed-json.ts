import { escapeJsonForLog } from '../text/escape-json.ts';

/**
 * Renders a JSON document in chunks, and ends it with a line feed. Renders each item separately, because there can be
 * ten thousand of them.
 * @param document everything except the items. It ends with an empty array. The items are written into this array.
 * @param write makes the object of one item; called only when this item is rendered
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
