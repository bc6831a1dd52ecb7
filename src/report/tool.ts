/** How files for programs name this action. The version is that of `package.json`; a test holds them together. */
export const TOOL = {
  name: 'Scangate',
  version: '0.1.0',
  informationUri: 'https://github.com/scangate/scangate',
} as const;
