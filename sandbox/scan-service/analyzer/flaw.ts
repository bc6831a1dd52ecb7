/** 1-based, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** What a rule says about every flaw that it finds. */
export interface RuleDescription {
  readonly id: string;
  /** Such as `CWE-78`. */
  readonly cwe: string;
  readonly severity: 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO';
  readonly title: string;
  readonly description: string;
  readonly recommendedFix: string;
}

/** What backs a finding. Without it the verdict is left to a person: PENDING. */
export interface Proof {
  /** `POC` only where something was really carried out; `ANALYSIS` where the code alone proves it. */
  readonly kind: 'POC' | 'ANALYSIS';
  /** One sentence: what was proven, and how. */
  readonly text: string;
}

/** One flaw in one version of one file. */
export interface Flaw {
  readonly rule: RuleDescription;
  readonly path: string;
  /** Lines that make up the flaw, the one to show first; a change that touches any of them introduces it. */
  readonly places: readonly [LineRange, ...LineRange[]];
  /** The code of the flaw with its white space folded: tells two flaws apart, is never shown. */
  readonly snippet: string;
  readonly proof: Proof | undefined;
}

/** White space is no part of what a flaw is: a flaw that was only moved or indented stays the same one. */
export function foldWhitespace(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}
