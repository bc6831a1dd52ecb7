import * as v from 'valibot';

/** A page that GitHub names in an answer: an http or https address, or undefined. */
export const WebAddress = v.pipe(
  v.nullish(v.string()),
  v.transform((value) => {
    const url = value == null ? null : URL.parse(value);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
  }),
);
