import type { Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

/**
 * Matches the line that loads a built-in module in the output of ncc. These lines run before other code of the bundle.
 */
const LOADED_FIRST = /^const (\w+) = \w+\(import\.meta\.url\)\("([\w:/]+)"\);$/gm;
/** Matches the name that ncc gives to a built-in module: "external_node_path_namespaceObject". */
const NAME_OF_NCC = /^external_(\w+)_namespaceObject$/;
const LOADED = /\b\w*createRequire\(import\.meta\.url\)\(("[\w:/]+")\)/g;

/** A node of the syntax tree. All members that are not listed here are nodes, lists of nodes, or plain values. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Replaces the code from `start` to `end` by `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Makes a rolldown plugin that changes the output of ncc: each built-in module is loaded when it is first used. A run
 * needs few of these modules, and loading all of them takes a third of the time of a start.
 */
export function loadBuiltInsLate(): Plugin {
  return { name: 'load-built-ins-late', transform: builtInsLoadedLate };
}

/**
 * Changes a bundle so that it loads built-in modules when they are first used.
 * @param code the bundle, as ncc writes it
 * @throws if the code uses the name of a module in an unknown way, or already uses the name of a function that the
 * change adds
 */
export function builtInsLoadedLate(code: string): string {
  const modules = new Map(
    [...code.matchAll(LOADED_FIRST)].map(([, name = '', module = '']) => [name, module] as const),
  );
  const loaders = new Set([...modules.keys()].map(loaderOf));
  const edits: Edit[] = [];
  const declared = new Set<string>();
  for (const { node, parents } of nodesOf(parseAst(code))) {
    const name = nameOf(node);
    const module = modules.get(name);
    if (loaders.has(name)) throw new Error(`The bundle has the name ${name} already`);
    if (module === undefined || isMemberName(node, parents)) continue;
    const [parent] = parents;
    const functions = destructuredPromises(node, parents);
    if (functions !== undefined) edits.push(functions);
    else if (parent?.type === 'VariableDeclarator' && childOf(parent, 'id') === node && !declared.has(name)) {
      declared.add(name);
      edits.push({
        start: node.start,
        end: parent.end,
        text: `${loaderOf(name)} = () => process.getBuiltinModule("${module}")`,
      });
    } else edits.push({ start: node.start, end: node.end, text: useOf(name, node, parents) });
  }
  return edited(code, edits).replace(LOADED, 'process.getBuiltinModule($1)');
}

/**
 * Replaces a declaration such as `const { rm, open: o } = fs.promises` at the top of the bundle. The declaration would
 * load the module before other code runs. Returns undefined if the node is no such declaration.
 *
 * Each name becomes a function that loads the module when it is called. This works because packages take only functions
 * from `fs.promises`.
 */
function destructuredPromises(node: Node, parents: readonly Node[]): Edit | undefined {
  const [member, declarator, declaration, program] = parents;
  if (program?.type !== 'Program' || declarator?.type !== 'VariableDeclarator') return undefined;
  if (member?.type !== 'MemberExpression' || nameOf(childOf(member, 'property')) !== 'promises')
    return undefined;
  const pattern = childOf(declarator, 'id');
  const declarations = declaration && childOf(declaration, 'declarations');
  if (!isNode(pattern) || pattern.type !== 'ObjectPattern') return undefined;
  if (declaration === undefined || !Array.isArray(declarations) || declarations.length > 1) return undefined;
  const properties = childOf(pattern, 'properties');
  const functions = (Array.isArray(properties) ? properties : []).map((property) => {
    const [key, local] = [nameOf(childOf(property, 'key')), nameOf(childOf(property, 'value'))];
    if (key === '' || local === '' || key === 'constants') {
      throw new Error(`The bundle takes a member of fs.promises that its build does not know: ${key}`);
    }
    return `${local} = (...all) => ${loaderOf(nameOf(node))}().promises.${key}(...all)`;
  });
  return { start: declaration.start, end: declaration.end, text: `const ${functions.join(', ')};` };
}

/** Returns the code that replaces a use of a module's name. */
function useOf(name: string, node: Node, parents: readonly Node[]): string {
  const [parent] = parents;
  if (parent === undefined || !isRead(node, parent)) {
    throw new Error(`The bundle uses ${name} in a way that its build does not know: ${parent?.type}`);
  }
  const loaded = `${loaderOf(name)}()`;
  // In a shorthand property, the name is also the key.
  if (parent.type === 'Property' && parent.start === node.start) return `${name}: ${loaded}`;
  // Without the brackets, `new load_x().Y()` would make an instance of `load_x`.
  return isConstructed(node, parents) ? `(${loaded})` : loaded;
}

function loaderOf(name: string): string {
  return `load_${name.replace(NAME_OF_NCC, '$1')}`;
}

/** True if the code reads the name, and neither assigns nor declares it. */
function isRead(node: Node, parent: Node): boolean {
  switch (parent.type) {
    case 'MemberExpression':
    case 'CallExpression':
    case 'NewExpression':
    case 'SequenceExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'ConditionalExpression':
    case 'UnaryExpression':
    case 'ReturnStatement':
    case 'TemplateLiteral':
    case 'SpreadElement':
    case 'ArrayExpression':
    case 'Property':
      return true;
    case 'ArrowFunctionExpression':
      return childOf(parent, 'body') === node;
    case 'VariableDeclarator':
      return childOf(parent, 'init') === node;
    case 'AssignmentExpression':
      return childOf(parent, 'right') === node;
    default:
      return false;
  }
}

/** True if the name is that of a member, as in `x.name` or `{ name: x }`. */
function isMemberName(node: Node, [parent]: readonly Node[]): boolean {
  if (parent === undefined || Reflect.get(parent, 'computed') === true) return false;
  if (parent.type === 'MemberExpression') return childOf(parent, 'property') === node;
  const isKey = ['Property', 'MethodDefinition', 'PropertyDefinition'].includes(parent.type);
  return isKey && childOf(parent, 'key') === node && Reflect.get(parent, 'shorthand') !== true;
}

function isConstructed(node: Node, parents: readonly Node[]): boolean {
  let inner = node;
  for (const parent of parents) {
    if (parent.type === 'NewExpression') return childOf(parent, 'callee') === inner;
    if (parent.type !== 'MemberExpression' || childOf(parent, 'object') !== inner) return false;
    inner = parent;
  }
  return false;
}

interface Found {
  readonly node: Node;
  /** The ancestors of the node. The nearest one comes first. */
  readonly parents: readonly Node[];
}

function* nodesOf(value: unknown, parents: readonly Node[] = []): Generator<Found> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesOf(one, parents);
  } else if (isNode(value)) {
    yield { node: value, parents };
    const inside = [value, ...parents].slice(0, MOST_PARENTS);
    for (const child of Object.values(value)) yield* nodesOf(child, inside);
  }
}

/** Our choice: how many ancestors of a node are kept. No use of a module needs more of them. */
const MOST_PARENTS = 10;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}

function childOf(node: Node, member: string): unknown {
  return Reflect.get(node, member);
}

function nameOf(node: unknown): string {
  return isNode(node) && node.type === 'Identifier' ? String(childOf(node, 'name')) : '';
}

/**
 * Applies the edits. A shorthand property has two edits at one position, for the key and for the value. Only the first
 * is applied.
 */
function edited(code: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    pieces.push(code.slice(at, start), text);
    at = end;
  }
  return [...pieces, code.slice(at)].join('');
}
