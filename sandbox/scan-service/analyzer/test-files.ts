const FOLDERS =
  /(?:^|\/)(?:__fixtures__|__mocks__|__tests__|cypress|e2e|fixtures?|mocks?|specs?|test-?data|testing|tests?)\//i;
const NAMES = /(?:^|\/)tests?\.\w+$|[._-](?:e2e|fixtures?|mocks?|spec|tests?)\.\w+$|(?:^|\/)test[_-][^/]*$/i;

/** True for tests and test data. Passwords and weak settings in such files are invented. */
export function isTestFile(path: string): boolean {
  return FOLDERS.test(path) || NAMES.test(path);
}
