// Replaces json-with-bigint, which keeps integers of more than 53 bits exact. GitHub has no such ids. The package looks
// at every value of every answer, which takes longer than the parser of Node.js.
export const JSONParse = (text) => JSON.parse(text);
export const JSONStringify = (value) => JSON.stringify(value);
