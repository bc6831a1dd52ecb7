/**
 * Makes V8 keep the heap small. By default, V8 enlarges its young generation while the run reads and renders findings,
 * although most of these objects are garbage. With 10,000 findings, this growth is a third of the memory of the
 * process.
 *
 * A small heap costs a quarter to a half more CPU time, so a run uses it only for a long list of findings. A limit for
 * the young generation alone needs a command line option, which an action cannot set.
 */
export function preferLittleMemory(): void {
  // An import would load the module in every run, although most runs do not need it.
  process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
}
