import { contractCommand } from './contract/command.ts';

const ended = contractCommand(process.argv.slice(2));
if (ended.exitCode === 2) console.error(ended.message);
else console.log(ended.text);
process.exitCode = ended.exitCode;
