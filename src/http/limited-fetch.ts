/** Chosen, counted after decompression: a hundred findings, check runs or comments take well under a tenth of it. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
/** The same for people. */
export const LARGEST_BODY = '10 MiB';

/**
 * A `fetch` whose answers end with an error where they are larger than 10 MiB, however small they were on the wire.
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
    // A constructed answer has no address, and octokit puts it into its own.
    return Object.defineProperty(limited, 'url', { value: url });
  };
}
