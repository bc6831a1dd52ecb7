import * as v from 'valibot';

/** The address of a page in an answer from GitHub. Undefined if it is neither http nor https. */
export const WebAddress = v.pipe(
  v.nullish(v.string()),
  v.transform((value) => {
    const url = value == null ? null : URL.parse(value);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
  }),
);
