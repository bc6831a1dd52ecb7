// Writes the cost of a process when the process ends. Loaded with `--require`, and only on Linux. CommonJS needs no loader
// for modules, which would add to the cost. `resourceUsage().maxRSS` does not work, because a new process inherits the
// value of its parent.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const [, kibibytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  const { user, system } = process.cpuUsage();
  const cost = { peakKibibytes: Number(kibibytes), cpuMicroseconds: user + system };
  writeFileSync(process.env.OWN_COST_FILE, JSON.stringify(cost));
});
