import {
  contradiction,
  EVIDENCE_LEVELS,
  type EvidenceLevel,
  FAIL_ON_NONE,
  type FailOn,
  type FailOnRule,
  failOnAt,
  normalRules,
} from '../domain/fail-on.ts';
import { SEVERITY_LEVELS } from '../domain/severity.ts';
import { quote } from './input-forms.ts';

/** Replaces an invalid value, so that the run can report the errors of other inputs too. */
const OTHERWISE = failOnAt('high');

const FORM = `Use one of: ${SEVERITY_LEVELS.join(', ')}, none. Or a list, for example \`critical, high:confirmed, medium:poc\`.`;

/**
 * Reads `fail-on`: a severity, `none`, or a list of severities. A severity can name the evidence that its findings
 * need: `high:confirmed`.
 * @param defaultEvidence the evidence for a severity that names none
 */
export function readFailOn(
  given: string,
  defaultEvidence: EvidenceLevel,
  fault: (sentence: string) => void,
): FailOn {
  const text = given.trim().toLowerCase();
  if (text === 'none') return { ...FAIL_ON_NONE, defaultEvidence };
  const entries = text.split(/[,\n]/).map((entry) => entry.trim());
  const rules: FailOnRule[] = [];
  const wrong: string[] = [];
  for (const entry of entries.filter((one) => one !== '')) {
    const read = readEntry(entry, defaultEvidence);
    if (typeof read === 'string') wrong.push(read);
    else if (rules.some(({ severity }) => severity === read.severity)) {
      wrong.push(`names ${quote(read.severity)} twice. Name each severity once.`);
    } else rules.push(read);
  }
  if (rules.length === 0 && wrong.length === 0) wrong.push(`is ${quote(given)}. ${FORM}`);
  const against = contradiction(rules);
  if (against !== undefined) {
    const [worse, milder] = [against.worse, against.milder].map(({ severity, evidence }) =>
      quote(`${severity}:${evidence}`),
    );
    wrong.push(
      `asks for more proof of the worse severity: ${worse}, but ${milder}. Ask for as much or less. An entry without evidence has that of \`fail-on-evidence\`, \`${defaultEvidence}\`.`,
    );
  }
  for (const sentence of wrong) fault(sentence);
  return wrong.length === 0 ? { rules: normalRules(rules), defaultEvidence } : OTHERWISE;
}

/** Returns a rule, or says what is wrong with the entry. */
function readEntry(entry: string, defaultEvidence: EvidenceLevel): FailOnRule | string {
  const [name, ...levels] = entry.split(':').map((one) => one.trim());
  const severity = SEVERITY_LEVELS.find((level) => level === name);
  if (severity === undefined) {
    return name === 'none' ? 'has `none` in a list. Use `none` alone.' : `is ${quote(entry)}. ${FORM}`;
  }
  if (levels.length === 0) return { severity, evidence: defaultEvidence };
  const evidence = EVIDENCE_LEVELS.find((level) => level === levels[0]);
  if (evidence === undefined || levels.length > 1) {
    return `contains ${quote(entry)}. After the colon, use one of: ${EVIDENCE_LEVELS.join(', ')}.`;
  }
  return { severity, evidence };
}
