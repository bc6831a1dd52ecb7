// octokit keeps an integer of more than 53 bits exact with it. No id of GitHub is as large, and the package looks at
// each value of each response, which Node.js does not.
export const JSONParse = (text) => JSON.parse(text);
export const JSONStringify = (value) => JSON.stringify(value);
