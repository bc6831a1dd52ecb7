import { happens } from '../play.ts';
import { type Fact, FULL, launch, read, type Server } from './fact.ts';

const VULNERABLE_CODE = 'eval(code);\n';
const TREE = {
  commits: [
    { name: 'start', files: { 'README.md': 'Shop\n' } },
    {
      name: 'shop',
      files: {
        'src/orders/list.js': `let a;\nlet b;\n${VULNERABLE_CODE}`,
        'src/orders/picture.png': Buffer.from([0, 1, 2, 10, 10]),
        'src/main.js': VULNERABLE_CODE,
        'packages/till/src/pay.js': `${VULNERABLE_CODE}${VULNERABLE_CODE}let last;`,
        'docs/a/b.md': 'one\ntwo\n',
      },
    },
    { name: 'smaller', files: { 'packages/till/src/pay.js': null, 'src/orders/list.js': VULNERABLE_CODE } },
  ],
  branches: { main: 'shop', next: 'smaller', old: 'start' },
};
const SHOP = { repository: TREE, options: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } } };
const AREAS = 'GET repositories/repo_shop/audit-areas';
const KEYS = 'areas.*.key';
const SIZES = `${KEYS} areas.*.inLatestMap areas.*.files areas.*.lines`;

const audit = (scan: number, over: object = {}) => [
  launch({ ...FULL, commit: '{shop}', ...over }),
  read(scan),
];
const create = (name: string, description?: string) =>
  ['POST repositories/repo_shop/audit-areas', { name, description }] as const;
/** A scan of areas, and the files of its findings. */
const found = (scan: number, auditAreaKeys: readonly string[], over: object = {}) => [
  ...audit(scan, { auditAreaKeys, ...over }),
  `GET findings?scanId={scan${scan}}`,
];
const DIFF = { presetRef: 'diff-review', baseCommit: '{start}' };

export const AREA_FACTS: readonly Fact[] = [
  {
    name: 'a scan of the newest commit of a branch maps the repository, the area with the most lines first',
    ...SHOP,
    steps: [AREAS, ...audit(1), AREAS, `${AREAS}?branch=old`, `${AREAS}?branch=`],
    show: `repositoryId branch mapped totalFiles totalLines areas.*.name areas.*.source areas.*.description ${SIZES}`,
  },
  {
    name: 'a scan of an older commit maps no branch that has moved',
    ...SHOP,
    steps: [...audit(1), ...audit(2, { commit: '{smaller}' }), `${AREAS}?branch=next`, AREAS],
    show: SIZES,
  },
  {
    name: 'a failed scan stores no map',
    ...SHOP,
    steps: [
      happens<Server>('fail the next scan', ({ service }) => service.control.fail('next')),
      ...audit(1),
      AREAS,
    ],
    show: `mapped ${KEYS}`,
  },
  {
    name: 'a custom area gets its key from its name, and its place from the next map',
    ...SHOP,
    steps: [
      ...audit(1),
      create(' Paying at the till ', 'Takes money.'),
      create('Unheard of'),
      AREAS,
      ...audit(2),
      AREAS,
    ],
    show: `area ${SIZES}`,
  },
  {
    name: 'areas with similar names get different keys',
    ...SHOP,
    steps: [...['Docs!', 'Dócs?', 'docs', '支払い', '返品'].map((name) => create(name)), ...audit(1), AREAS],
    show: `area.key ${KEYS}`,
  },
  {
    name: 'two custom areas cannot have the same name, but a custom area may have the name of a discovered one',
    ...SHOP,
    steps: [...audit(1), create('Payments'), create(' payments'), create('docs')],
    show: 'area.key area.source',
  },
  {
    name: 'a scan of areas reports only findings in these areas',
    ...SHOP,
    steps: [
      ...audit(1),
      create('Tills'),
      create('Money', 'What is taken in the till.'),
      ...found(2, ['src']),
      ...found(3, ['tills']),
      ...found(4, ['money']),
      ...found(5, ['packages-till', 'tills', 'src']),
      ...found(6, ['docs']),
      ...found(7, []),
      ...found(8, ['src'], DIFF),
      ...found(9, ['packages-till', 'tills'], DIFF),
      ...found(10, [], DIFF),
    ],
    show: 'items.*.filePath',
  },
];
