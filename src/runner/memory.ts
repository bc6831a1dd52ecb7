/**
 * Lets V8 keep the heap small, for many findings. Its young generation otherwise grows severalfold while they are read and
 * rendered, though most of what it holds is garbage: at 10,000 findings a third of the process. The size of that
 * generation can be limited on a command line only, which an action does not have. Costs a quarter to a half more
 * processor time, so it is for runs that need it.
 */
export function preferLittleMemory(): void {
  // Not imported, because most runs do not need it.
  process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
}
