import { type CodeRule, callsOf, importing, inspectBuiltArgument } from './code-rule.ts';

export const commandInjection: CodeRule = {
  id: 'command-injection',
  cwe: 'CWE-78',
  severity: 'CRITICAL',
  title: 'Shell command built from a variable',
  description:
    'A shell command is put together from text and a value that is not fixed. Whoever controls the value can add commands of their own, which run with the rights of this program.',
  recommendedFix:
    'Start the program without a shell: `execFile` or `spawn` with the program and an array of arguments. Put `--` before arguments that come from outside.',
  matcher: {
    rule: {
      all: [
        {
          any: [
            ...callsOf('exec'),
            ...callsOf('execSync'),
            ...callsOf('$OBJECT.execSync'),
            ...callsOf('child_process.exec'),
            ...callsOf('childProcess.exec'),
            ...callsOf('cp.exec'),
          ],
        },
        importing('child_process'),
      ],
    },
  },
  inspect: (match) => inspectBuiltArgument(match, () => true, 'The shell'),
};
