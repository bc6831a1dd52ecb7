/** The name of this action in files for programs. A test checks that the version is that of `package.json`. */
export const TOOL = {
  name: 'Scangate',
  version: '0.1.0',
  informationUri: 'https://github.com/scangate/scangate',
} as const;
