/** Our choice, after decompression: a hundred findings, check runs or comments need less than a tenth. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
/** The same limit, for messages. */
export const LARGEST_BODY = '10 MiB';

/**
 * A `fetch` whose answers end with an error if they are larger than 10 MiB after decompression.
 * @param onOversize called when that happens
 */
export function limitedFetch(
  fetch: typeof globalThis.fetch,
  onOversize: () => void,
): typeof globalThis.fetch {
  return async (...args) => {
    const response = await fetch(...args);
    if (response.body === null) return response;
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= LARGEST_BODY_BYTES) return controller.enqueue(chunk);
        onOversize();
        controller.error(new Error(`the answer is larger than ${LARGEST_BODY}`));
      },
    });
    const { status, statusText, headers, url } = response;
    const limited = new Response(response.body.pipeThrough(counter), { status, statusText, headers });
    // A constructed response has no URL, but octokit copies it to its own.
    return Object.defineProperty(limited, 'url', { value: url });
  };
}
