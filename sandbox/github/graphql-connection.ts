/** Takes one page of a list. A cursor holds the number of items before it. */
export function connection<T>(items: readonly T[], first: number, after: string | null | undefined) {
  const start = typeof after === 'string' ? Number(Buffer.from(after, 'base64').toString()) : 0;
  const page = items.slice(start, start + first);
  const end = start + page.length;
  const endCursor = page.length === 0 ? null : Buffer.from(String(end)).toString('base64');
  return { page, pageInfo: { hasNextPage: end < items.length, endCursor } };
}
