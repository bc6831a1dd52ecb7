import { createPrivateKey } from 'node:crypto';
import { lintSource } from '@secretlint/core';
import { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend';
import { isTestFile } from './test-files.ts';
import { foldWhitespace, type Proof, type RuleDescription, type Vulnerability } from './vulnerability.ts';

/** Leaves out the rule that lets a comment disable rules. With this rule, a change could switch off its own scan. */
const RULES = presetRules
  .filter((rule) => rule.meta.id !== '@secretlint/secretlint-rule-filter-comments')
  .map((rule) => ({ id: rule.meta.id, rule }));

/**
 * Finds credentials in a text file. In the result, only `snippet` contains the credential, and `snippet` is never
 * shown.
 */
export async function findCredentials(path: string, content: string): Promise<Vulnerability[]> {
  const result = await lintSource({
    source: { filePath: path, content, contentType: 'text', ext: /\.\w+$/.exec(path)?.[0] ?? '' },
    options: { noPhysicFilePath: true, config: { rules: RULES } },
  });
  const isTest = isTestFile(path);
  return result.messages.flatMap((message) => {
    const kind = message.ruleId.replace('@secretlint/secretlint-rule-', '');
    if (isTest && WITHOUT_OWN_FORM.test(kind)) return [];
    const secret = content.slice(message.range[0], message.range[1]);
    return {
      rule: describe(kind),
      path,
      places: [{ start: message.loc.start.line, end: message.loc.end.line }],
      snippet: foldWhitespace(secret),
      proof: proofOf(kind, secret),
    };
  });
}

function describe(kind: string): RuleDescription {
  return {
    id: `credential-${kind}`,
    cwe: 'CWE-798',
    severity: kind === 'privatekey' ? 'CRITICAL' : 'HIGH',
    title: `Hard-coded credential (${kind})`,
    description:
      'A credential is written into the repository. Everybody who can read the repository, now or later in its history, can use it.',
    recommendedFix:
      'Revoke the credential at its issuer and make a new one; removing the line is not enough, because it stays in the history. Read it from the environment or a secret store.',
  };
}

/** Kinds of credentials whose form proves nothing. They are addresses with a password, which anyone can invent. */
const WITHOUT_OWN_FORM = /^(?:basicauth|database-connection-string)$/;

/**
 * Proves a credential. A private key is proven if it can be loaded. Another credential is proven if it has a form that
 * only its issuer uses.
 */
function proofOf(kind: string, secret: string): Proof {
  if (kind !== 'privatekey') {
    if (WITHOUT_OWN_FORM.test(kind)) return null;
    return { kind: 'ANALYSIS', text: 'The text has the form that its issuer gives to credentials.' };
  }
  try {
    const key = createPrivateKey(secret);
    return {
      kind: 'POC',
      text: `The block was loaded as a working ${key.asymmetricKeyType ?? 'private'} private key, without a passphrase.`,
    };
  } catch {
    // The key is incomplete, encrypted or invented, so a person has to decide.
    return null;
  }
}
