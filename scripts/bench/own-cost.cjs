// Preloaded with `--require`. It is CommonJS, so that a process without modules needs no loader for it. Linux only.
// `resourceUsage().maxRSS` would not work, because a new process inherits its parent's value.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const [, kibibytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const { user, system } = process.cpuUsage();
  const cost = { peakKibibytes: Number(kibibytes), cpuMicroseconds: user + system };
  writeFileSync(process.env.OWN_COST_FILE, JSON.stringify(cost));
});
