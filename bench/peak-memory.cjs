// Preloaded with `--require`, in CommonJS so that a process without modules needs no loader for it. Linux only.
// Not `resourceUsage().maxRSS`: there a new process begins with what its parent had.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const [, kibibytes = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  writeFileSync(process.env.PEAK_MEMORY_FILE, kibibytes);
});
