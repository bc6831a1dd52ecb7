import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command line cannot be used. The message says why and what to do, and is all that the command prints. */
export class UsageError extends Error {}

/** The option that every command has. */
export const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/**
 * Parses the command line. Throws `UsageError` with the usage if an option is unknown, lacks its value, or is there
 * twice without being `multiple`.
 */
export function parseCommandLine<Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    const parsed = parseArgs(config);
    const twice = repeatedOption(config);
    if (twice !== undefined) throw new UsageError(`--${twice} is there twice. Use it once.\n\n${usage}`);
    return parsed;
  } catch (error) {
    if (!(error instanceof Error) || !String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS'))
      throw error;
    // Only the first sentence says what is wrong. The others explain the syntax of all command lines.
    const [said] = error.message.split(/\.\s/);
    throw new UsageError(`${said}.\n\n${usage}`);
  }
}

function repeatedOption(config: ParseArgsConfig): string | undefined {
  const { tokens } = parseArgs({ ...config, tokens: true });
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  return names.find(
    (name, index) => names.indexOf(name) < index && config.options?.[name]?.multiple !== true,
  );
}

/**
 * Reads a whole number. Returns undefined if there is none. Throws `UsageError` if it is outside of the range.
 * @param end the end of the message
 */
export function wholeNumber(name: string, text: string | undefined, least: number, most: number, end = '.') {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${name} is ${text}. Use a whole number from ${least} to ${most}${end}`);
}

/** Runs a command. If it throws `UsageError`, prints the message, sets the exit code 2 and returns undefined. */
export async function runCommand<T>(command: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
    return undefined;
  }
}
