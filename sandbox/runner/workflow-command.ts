/** A workflow command, as GitHub's runner reads it from a line of the output. */
export interface WorkflowCommand {
  readonly name: string;
  readonly data: string;
  /** The key is the name in lower case, because GitHub's runner ignores the case. */
  readonly properties: ReadonlyMap<string, string>;
}

/** The commands that GitHub's runner knows, in lower case. Every other line is plain text. */
export const REGISTERED_COMMANDS: readonly string[] = [
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
];

/**
 * The escapes in a command. GitHub's runner decodes them in this order. `%25` is last, so that `%250A` becomes `%0A`
 * and not a line feed.
 */
type Escapes = readonly (readonly [escaped: string, character: string])[];
const BRACKET_ESCAPES: Escapes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
];
const DATA_ESCAPES: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
];
const PROPERTY_ESCAPES: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
];

/**
 * Parses a command in a line, like GitHub's runner. `::name key=value,…::data` must be at the start, after optional
 * white space. `##[name key=value;…]data` can be anywhere in the line. Returns undefined if the line is plain text.
 * @param isRegistered says whether a command has this name, in lower case
 */
export function parseCommand(
  line: string,
  isRegistered: (name: string) => boolean,
): WorkflowCommand | undefined {
  return parseColons(line, isRegistered) ?? parseBrackets(line, isRegistered);
}

function parseColons(line: string, isRegistered: (name: string) => boolean): WorkflowCommand | undefined {
  // .NET treats U+0085 as white space, but not U+FEFF. JavaScript does the opposite.
  const text = line.replace(/^(?:(?!\uFEFF)[\s\u0085])+/, '');
  if (!text.startsWith('::')) return undefined;
  const end = text.indexOf('::', 2);
  if (end < 0) return undefined;
  return read(text.slice(2, end), text.slice(end + 2), isRegistered, {
    separator: ',',
    trims: true,
    propertyEscapes: PROPERTY_ESCAPES,
    dataEscapes: DATA_ESCAPES,
  });
}

function parseBrackets(line: string, isRegistered: (name: string) => boolean): WorkflowCommand | undefined {
  const start = line.indexOf('##[');
  if (start < 0) return undefined;
  const end = line.indexOf(']', start);
  if (end < 0) return undefined;
  return read(line.slice(start + 3, end), line.slice(end + 1), isRegistered, {
    separator: ';',
    trims: false,
    propertyEscapes: BRACKET_ESCAPES,
    dataEscapes: BRACKET_ESCAPES,
  });
}

interface Syntax {
  readonly separator: string;
  /** True if white space around the properties is removed. */
  readonly trims: boolean;
  readonly propertyEscapes: Escapes;
  readonly dataEscapes: Escapes;
}

function read(
  info: string,
  data: string,
  isRegistered: (name: string) => boolean,
  syntax: Syntax,
): WorkflowCommand | undefined {
  const space = info.indexOf(' ');
  const name = (space < 0 ? info : info.slice(0, space)).toLowerCase();
  if (!isRegistered(name)) return undefined;
  const properties = new Map<string, string>();
  // If `info` begins with a space, the command has no properties.
  const given = space > 0 ? info.slice(space + 1) : '';
  for (const property of (syntax.trims ? given.trim() : given).split(syntax.separator)) {
    const [, key, value] = /^=*([^=]+)=+([^=].*)$/s.exec(property) ?? [];
    if (key !== undefined && value !== undefined) {
      properties.set(key.toLowerCase(), undo(value, syntax.propertyEscapes));
    }
  }
  return { name, properties, data: undo(data, syntax.dataEscapes) };
}

function undo(text: string, escapes: Escapes): string {
  return escapes.reduce((done, [escaped, character]) => done.replaceAll(escaped, character), text);
}
