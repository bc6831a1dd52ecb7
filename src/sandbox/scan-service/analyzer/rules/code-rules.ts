import { codeInjection } from './code-injection.ts';
import type { CodeRule } from './code-rule.ts';
import { commandInjection } from './command-injection.ts';
import { disabledTlsVerification } from './disabled-tls-verification.ts';
import { sqlInjection } from './sql-injection.ts';
import { weakHash } from './weak-hash.ts';

/** The rules for JavaScript and TypeScript. A new rule: one file beside these, and one line here. */
export const CODE_RULES: readonly CodeRule[] = [
  commandInjection,
  sqlInjection,
  codeInjection,
  disabledTlsVerification,
  weakHash,
];
