import type { FixtureDescription } from '../git-fixture.ts';

/**
 * The code of a small shop, and a pull request. The pull request adds real vulnerabilities and harmless changes. The
 * analyzer finds the vulnerabilities, so no findings are listed here.
 */
export const SAMPLE_REPOSITORY: FixtureDescription = {
  branches: { main: 'base moves on', 'order-export': 'tidy up' },
  commits: [
    {
      name: 'the shop',
      files: {
        'README.md': '# Shop\n\nA small shop.\n',
        'src/orders.js': [
          "import { db } from './db.js';",
          '',
          'export function orderById(id) {',
          "  return db.query('SELECT * FROM orders WHERE id = ?', [id]);",
          '}',
          '',
        ].join('\n'),
        // The base branch already has this vulnerability. A scan of the pull request must not report it.
        'src/legacy.js': [
          "import { createHash } from 'node:crypto';",
          '',
          'export const fingerprint = (text) => createHash("md5").update(text).digest("hex");',
          '',
        ].join('\n'),
      },
    },
    {
      name: 'orders by customer',
      files: {
        'src/orders.js': [
          "import { db } from './db.js';",
          '',
          'export function orderById(id) {',
          "  return db.query('SELECT * FROM orders WHERE id = ?', [id]);",
          '}',
          '',
          'export function ordersOf(customer) {',
          '  return db.query("SELECT * FROM orders WHERE customer = \'" + customer + "\'");',
          '}',
          '',
        ].join('\n'),
      },
    },
    {
      name: 'export orders',
      files: {
        'src/export.js': [
          "import { exec } from 'node:child_process';",
          "import https from 'node:https';",
          '',
          '/** Packs the export of one customer. */',
          'export function pack(request, done) {',
          "  exec('tar czf /tmp/export.tgz exports/' + request.query.customer, done);",
          '}',
          '',
          'export const partner = new https.Agent({ rejectUnauthorized: false });',
          '',
        ].join('\n'),
      },
    },
    {
      name: 'tidy up',
      files: {
        'src/receipt.js': [
          "import { createHash } from 'node:crypto';",
          '',
          'export function receiptNumber(order) {',
          "  return createHash('sha1').update(order.id).digest('hex').slice(0, 12);",
          '}',
          '',
        ].join('\n'),
      },
    },
    {
      name: 'base moves on',
      parents: ['the shop'],
      // After the pull request was started, another author merged this vulnerability into `main`. A scan that measures
      // from the wrong base would report it.
      files: { 'src/admin.js': 'export const run = (request) => eval(request.body.code);\n' },
    },
  ],
};
