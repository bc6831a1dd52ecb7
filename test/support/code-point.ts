import fc from 'fast-check';

/** The halves of pairs, which are no characters, stand in between. */
const BELOW_HALVES = 0xd800;
const HALVES = 0x800;

/**
 * The unit of a text: any character. The same as fast-check's own unit "binary", which each process first makes a table
 * of a million characters for.
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
