import { type CodeRule, callsOf, importing, inspectBuiltArgument } from './code-rule.ts';

export const commandInjection: CodeRule = {
  id: 'command-injection',
  cwe: 'CWE-78',
  severity: 'CRITICAL',
  title: 'Shell command built from a variable',
  description:
    'A shell command is built from text and a variable value. An attacker who controls the value can add commands, which run with the permissions of this program.',
  recommendedFix:
    'Start the program without a shell: `execFile` or `spawn` with the program and an array of arguments. Put `--` before arguments that come from outside.',
  needs: /child_process/,
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
