/** How this action names itself in its JSON files. A test compares the version with `package.json`. */
export const TOOL = {
  name: 'Scangate',
  version: '0.1.0',
  informationUri: 'https://github.com/scangate/scangate',
} as const;

/** Returns the address of a page of the documentation, as it is in this version. */
export function docsPage(name: string): string {
  return `${TOOL.informationUri}/blob/v${TOOL.version}/docs/${name}.md`;
}
