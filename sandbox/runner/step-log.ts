import { type LogAnnotation, toAnnotation } from './log-annotation.ts';
import type { SecretMasker } from './secret-masker.ts';
import { parseCommand, REGISTERED_COMMANDS, type WorkflowCommand } from './workflow-command.ts';

/**
 * GitHub documents: "10 warning annotations, 10 error annotations, and 10 notice annotations per step". The log shows
 * every warning, error and notice.
 */
const MOST_PER_LEVEL = 10;
/** GitHub's runner cuts longer messages. */
const LONGEST_MESSAGE = 4096;

export type StepLog = ReturnType<typeof createStepLog>;

export interface StepLogOptions {
  readonly masker: SecretMasker;
  readonly workspace: string;
  /** True if `debug` lines are shown, as with `ACTIONS_STEP_DEBUG`. */
  readonly debug: boolean;
}

export function createStepLog({ masker, workspace, debug }: StepLogOptions) {
  const shown: string[] = [];
  const annotations: LogAnnotation[] = [];
  const outputs = new Map<string, string>();
  const state = new Map<string, string>();
  let failed = false;
  let stopToken: string | undefined;
  let echo = debug;
  const show = (text: string) => {
    shown.push(masker.mask(text));
  };
  const annotate = (annotation: LogAnnotation) => {
    const message = masker.mask(annotation.message).slice(0, LONGEST_MESSAGE);
    const earlier = annotations.filter(({ level }) => level === annotation.level).length;
    if (earlier < MOST_PER_LEVEL) annotations.push({ ...annotation, message });
    if (message !== '') show(`##[${annotation.level}]${message}`);
  };
  const issue = (level: LogAnnotation['level'], message: string) =>
    annotate({ level, message, title: undefined, file: undefined, line: undefined, endLine: undefined });
  const fail = (message: string) => {
    issue('error', message);
    failed = true;
  };
  const named = (command: WorkflowCommand, into: Map<string, string>) => {
    issue('warning', deprecated(command.name));
    const name = command.properties.get('name');
    if (name === undefined)
      throw new Error(`Required field 'name' is missing in ##[${command.name}] command.`);
    into.set(name, command.data);
  };

  const run = (command: WorkflowCommand) => {
    switch (command.name) {
      case 'error':
      case 'warning':
      case 'notice':
        return annotate(toAnnotation(command.name, command, workspace));
      case 'group':
        return show(`##[group]${command.data}`);
      case 'endgroup':
        return show('##[endgroup]');
      case 'debug':
        return showDebug(command.data);
      case 'add-mask':
        return addMask(command.data);
      case 'set-output':
        return named(command, outputs);
      case 'save-state':
        return named(command, state);
      case 'set-env':
      case 'add-path':
        throw new Error(disabled(command.name));
      case 'echo':
        echo = readEcho(command.data);
        return undefined;
      default:
        // Problem matchers are accepted, but have no effect.
        return undefined;
    }
  };

  function showDebug(text: string): void {
    if (debug) for (const part of text.split('\n')) show(`##[debug]${part}`);
  }

  function addMask(value: string): void {
    if (value.trim() === '') {
      issue('warning', "Can't add secret mask for empty string in ##[add-mask] command.");
      return;
    }
    if (echo) show('::add-mask::***');
    masker.add(value);
    for (const part of value.split(/[\r\n]/)) masker.add(part.trim());
  }

  return {
    /**
     * The log as users see it. Commands are rendered or removed. A secret is masked only in the lines after the command
     * that added it.
     */
    shown,
    annotations,
    /** What `set-output` commands set. GitHub's runner still accepts them. */
    outputs,
    /** What `save-state` commands save. GitHub's runner still accepts them. */
    state,
    /** True if a command failed. The step then fails. */
    get failed(): boolean {
      return failed;
    },
    /** Adds an error, a warning or a notice of the runner itself. */
    issue,
    fail,
    /** Adds one line of the step's output. */
    line: (text: string) => {
      const command = parseCommand(text, (name) => REGISTERED_COMMANDS.includes(name) || name === stopToken);
      if (command === undefined || (stopToken !== undefined && command.name !== stopToken)) return show(text);
      if (command.name === stopToken) {
        stopToken = undefined;
        return show(text);
      }
      try {
        if (command.name === 'stop-commands') {
          stopToken = readStopToken(command.data);
          if (stopToken.length > 6) masker.add(command.data);
          return show(text);
        }
        if (echo && !QUIET.has(command.name)) show(text);
        run(command);
      } catch (error) {
        fail(`Unable to process command '${QUIET.has(command.name) ? command.name : text}' successfully.`);
        fail(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

/** The log never shows the lines of these commands unchanged, even if `echo` is on. */
const QUIET: ReadonlySet<string> = new Set(['add-mask', 'debug', 'error', 'warning', 'notice']);

function readStopToken(token: string): string {
  const name = token.toLowerCase();
  if (name === '' || name === 'pause-logging' || REGISTERED_COMMANDS.includes(name)) {
    throw new Error(
      "You cannot use a endToken that is an empty string, the string 'pause-logging', or another workflow command.",
    );
  }
  return name;
}

function readEcho(value: string): boolean {
  const word = value.trim().toUpperCase();
  if (word === 'ON' || word === 'OFF') return word === 'ON';
  throw new Error(
    `Invalid echo command value. Possible values can be: 'on', 'off'. Current value is: '${value}'.`,
  );
}

function deprecated(name: string): string {
  return `The \`${name}\` command is deprecated and will be disabled soon. Please upgrade to using Environment Files.`;
}

function disabled(name: string): string {
  return `The \`${name}\` command is disabled. Please upgrade to using Environment Files.`;
}
