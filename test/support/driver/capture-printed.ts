/** Returns what `print` writes to stdout. The terminal does not show it. */
export function capturePrinted(print: () => void): string {
  const { write } = process.stdout;
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    return true;
  };
  try {
    print();
  } finally {
    process.stdout.write = write;
  }
  return text;
}
