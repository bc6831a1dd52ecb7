import { expect, test } from 'vitest';
import { environmentPairs } from '../../../sandbox/runner/environment-file.ts';
import { createLineReader } from '../../../sandbox/runner/line-reader.ts';
import { createSecretMasker } from '../../../sandbox/runner/secret-masker.ts';
import { createStepLog } from '../../../sandbox/runner/step-log.ts';
import { parseCommand, REGISTERED_COMMANDS } from '../../../sandbox/runner/workflow-command.ts';
import { brief } from '../play.ts';

/** Each text is what a step writes. An environment file may be invalid from some line on. */
const ENVIRONMENT_FILES = [
  'a=1\nb=2',
  'a=x=y<<z\n',
  '\n\na=\n',
  'a<<EOF\nEOF\n',
  'a<<EOF\none\n\ntwo\nEOF\nb=1\n',
  'a<<E=F\nx\nE=F',
  'a<<EOF\n EOF\nEOF \nEOF',
  'a<<EOF\nline\r\nEOF',
  'a=1\nno pair',
  'a<<EOF\nx\n',
  'a<<EOF\nx',
  '<<EOF\nx\nEOF',
  'a<<\nx\n',
];
/** The chunks in which the output of a step arrives. The last row splits a character. */
const CHUNKS = [
  ['a\nb\r\nc\rd'],
  ['a\r', '\nb\n'],
  ['a\r', 'b\n'],
  ['a\r', '', '\nb'],
  ['a', 'b', '\n', '\n'],
  [''],
  [Buffer.from('ä\n').subarray(0, 1), Buffer.from('ä\n').subarray(1)],
];
const LINES = [
  '::error::boom',
  '  \t::error::boom',
  '\u0085::error::boom',
  '::ERROR File=a.js,line=3::boom',
  '::error title=a%3Ab%2Cc%25,file=x::a%0Ab%25',
  '::error title=a=b,=x,y=,,z==1::',
  '::error::one::two',
  '::error title=%250A::%250A',
  '::endgroup::',
  'x ::error::boom',
  '::error',
  ':: error::boom',
  '::nothing::boom',
  '\uFEFF::error::boom',
  '::',
  '',
  '##[error]boom',
  'anywhere in a line ##[error]boom',
  '`##[warning file=a;line=1]x`',
  // Only `::` commands remove white space around the properties.
  '::warning  file=a,line=1 ::x',
  '##[warning  file=a;line=1 ]x',
  '##[error title=a%3Bb%5Dc]x%0Ay',
  '::nothing::##[add-mask]secret',
  '# #[error]x',
  '##[error',
  '##[nothing]x',
  '##[nothing]##[error]x',
  '##[ error]x',
];
const LOGS: Readonly<Record<string, readonly string[]>> = {
  'annotations have the values of their command, with a file path relative to the workspace': [
    '::error title=T,file=/home/runner/demo/src/a.js,line=3,endLine=5::boom',
    '::warning file=/elsewhere/a.js,line=3,endLine=2::w',
    'text ##[notice endLine=4]n',
  ],
  'an annotation is truncated at 4096 characters': [`::error::${'x'.repeat(5000)}`],
  'only ten annotations of each level are kept': [
    ...Array.from({ length: 12 }, (_, index) => `::error::e${index}`),
    '::warning::w',
  ],
  'groups are shown, debug lines are not': ['::group::G', 'plain', '::endgroup::', '::debug::d'],
  'after `add-mask`, the value, each of its lines and its encodings are masked': [
    'before s3cret-one',
    '::add-mask::s3cret-one%0As3cret-two',
    'after s3cret-two',
    `encoded ${Buffer.from('user:s3cret-two').toString('base64')}`,
    '::error::oh s3cret-one',
  ],
  'an empty mask causes a warning': ['::add-mask:: '],
  'after `stop-commands`, commands are ignored until a line repeats the token': [
    '::stop-commands::Token-1',
    '::error::ignored',
    'x ##[error]ignored',
    '::token-1::',
    '::error::heard',
  ],
  '`stop-commands` needs a token': ['::stop-commands::'],
  'a command is no token': ['::stop-commands::error'],
  '`set-env` fails': ['::set-env name=A::1'],
  '`add-path` fails': ['::add-path::/x'],
  '`echo` is on or off': ['::echo::maybe'],
  '`set-output` and `save-state` work, but cause a warning': [
    '::set-output name=a::1',
    '::save-state name=b::2',
  ],
  '`set-output` needs a name': ['::set-output::1'],
  'after `echo`, the text of later commands is shown': [
    '::echo::on',
    '::group::G',
    '::echo::off',
    '::group::H',
  ],
};

test('environment files, output and commands are read like GitHub reads them', async () => {
  const files = ENVIRONMENT_FILES.map((text) => {
    const pairs: unknown[] = [];
    let fault = '';
    try {
      for (const pair of environmentPairs(text)) pairs.push(pair);
    } catch (error) {
      fault = String(error);
    }
    return `${JSON.stringify(text)} → ${JSON.stringify(pairs)} ${fault}`.trimEnd();
  });
  const lines = CHUNKS.map((chunks) => {
    const read: string[] = [];
    const reader = createLineReader((line) => read.push(line));
    for (const chunk of chunks) reader.push(Buffer.from(chunk));
    reader.end();
    return `${JSON.stringify(chunks.map(String))} → ${JSON.stringify(read)}`;
  });
  const commands = LINES.map((line) => {
    const command = parseCommand(line, (name) => REGISTERED_COMMANDS.includes(name));
    const shown = command && { ...command, properties: Object.fromEntries(command.properties) };
    return `${JSON.stringify(line)} → ${JSON.stringify(shown) ?? 'plain text'}`;
  });
  const logs = Object.entries(LOGS).map(([name, written]) => {
    const masker = createSecretMasker([]);
    const log = createStepLog({ masker, workspace: '/home/runner/demo', debug: false });
    for (const line of written) log.line(line);
    const { shown, annotations, outputs, state, failed } = log;
    const kept = { outputs: [...outputs], state: [...state], masks: masker.values };
    return [
      `## ${name}`,
      ...shown,
      ...annotations.map((annotation) => `annotation: ${JSON.stringify(annotation)}`),
      ...Object.entries(kept).flatMap(([what, all]) =>
        all.length === 0 ? [] : [`${what}: ${JSON.stringify(all)}`],
      ),
      failed ? 'failed' : 'succeeded',
      '',
    ].join('\n');
  });
  const text = [
    ...['# Files', ...files, '', '# Output', ...lines, '', '# Commands'],
    ...commands,
    '',
    '# Logs',
    ...logs,
  ];
  await expect(brief(text.join('\n'))).toMatchFileSnapshot('log-syntax.golden.txt');
});

test('the log shows debug lines on request, and one mask for two secrets that touch or overlap', () => {
  const masker = createSecretMasker(['abc', 'cde', 'xyz']);
  expect(masker.mask('1abcde2xyzxyz3abc abc')).toBe('1***2***3*** ***');
  const log = createStepLog({ masker, workspace: '/', debug: true });
  log.line('::debug::d');
  expect(log.shown).toEqual(['##[debug]d']);
});
