/**
 * Our choice: the largest answer, after decompression. A hundred findings, check runs or comments need less than 1 MiB.
 */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
/** The limit as messages show it. */
export const LARGEST_BODY = '10 MiB';

/**
 * Wraps `fetch`. Reading an answer fails if the answer is larger than 10 MiB after decompression.
 * @param onOversize called before the read fails
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
    // octokit needs the URL of a response. The constructor makes a response without a URL.
    return Object.defineProperty(limited, 'url', { value: url });
  };
}
