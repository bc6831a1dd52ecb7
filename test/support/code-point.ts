import fc from 'fast-check';

/** The first surrogate. Surrogates are no characters. */
const BELOW_HALVES = 0xd800;
/** The number of surrogates. */
const HALVES = 0x800;

/**
 * Any character. fast-check's unit "binary" has the same characters, but starts more slowly: each process builds a
 * table of a million characters for it.
 */
export const CODE_POINT: fc.Arbitrary<string> = fc.nat({ max: 0x10_ffff - HALVES }).map(
  (index) => String.fromCodePoint(index < BELOW_HALVES ? index : index + HALVES),
  (character) => {
    if (typeof character !== 'string' || !/^.$/su.test(character) || !character.isWellFormed())
      throw new Error('No character.');
    const code = character.codePointAt(0) ?? 0;
    return code < BELOW_HALVES ? code : code - HALVES;
  },
);
