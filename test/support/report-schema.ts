import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const FILE = path.resolve(import.meta.dirname, '../../docs/report.schema.json');

function compile(): (report: unknown) => string | undefined {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(FILE, 'utf8')));
  return (report) => (validate(report) ? undefined : ajv.errorsText(validate.errors));
}

let check: ReturnType<typeof compile> | undefined;

/** Describes how a JSON report breaks `docs/report.schema.json`. Undefined if it follows the schema. */
export function reportFault(report: unknown): string | undefined {
  check ??= compile();
  return check(report);
}
