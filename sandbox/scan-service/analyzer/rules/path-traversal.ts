import type { SgNode } from '@ast-grep/napi';
import { calledName, importedFunction } from '../imports.ts';
import { argumentsOf, MENTIONS_REQUEST, requestSource } from '../request-source.ts';
import { type CodeRule, callsNamed } from './code-rule.ts';
import { fromRequest } from './from-request.ts';

const FILE_MODULE = /^(?:fs|fs\/promises|fs-extra|graceful-fs)$/;
const TAKES_PATH =
  /^(?:appendFile|copyFile|cp|createReadStream|createWriteStream|open|opendir|readFile|readdir|readlink|rename|rm|rmdir|stat|symlink|truncate|unlink|writeFile|mkdir)(?:Sync)?$/;
const SERVES = /^(?:sendFile|sendfile|download)$/;
/** If the call has the option `root`, Express itself refuses `..`. */
const ROOTED = /\broot\b/;

export const pathTraversal: CodeRule = {
  id: 'path-traversal',
  cwe: 'CWE-22',
  severity: 'HIGH',
  title: 'File path taken from a request',
  description:
    'A part of the request becomes part of a path in the file system. With `..` or an absolute path, the sender reaches files outside of the folder that was meant.',
  recommendedFix:
    'Take an id from the request and look its path up. Where a name is needed, use `path.basename`, or resolve the path and refuse it unless it starts with the folder.',
  needs: MENTIONS_REQUEST,
  matcher: { rule: { any: [callsNamed(TAKES_PATH), callsNamed(SERVES)] } },
  inspect(match) {
    const path = pathOf(match);
    const source = path === undefined ? undefined : requestSource(path);
    if (path === undefined || source === undefined || !opens(match)) return undefined;
    return fromRequest(path, source, 'The path');
  },
};

function pathOf(call: SgNode): SgNode | undefined {
  const [path, options] = argumentsOf(call);
  const name = calledName(call);
  if (SERVES.test(name))
    return options?.is('object') === true && ROOTED.test(options.text()) ? undefined : path;
  return TAKES_PATH.test(name) ? path : undefined;
}

function opens(call: SgNode): boolean {
  return SERVES.test(calledName(call)) || FILE_MODULE.test(importedFunction(call)?.module ?? '');
}
