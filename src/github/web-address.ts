import * as v from 'valibot';

/** The address of a page in GitHub's answer: http or https, otherwise undefined. */
export const WebAddress = v.pipe(
  v.nullish(v.string()),
  v.transform((value) => {
    const url = value == null ? null : URL.parse(value);
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
  }),
);
