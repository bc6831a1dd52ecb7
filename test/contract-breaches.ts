/** What broke the service's contract in this test file and was not yet told. */
const breaches: string[] = [];

export function noteBreaches(found: readonly string[]): void {
  breaches.push(...found);
}

/** Takes what was noted so far, each breach once: who takes it answers for it. */
export function takeBreaches(): string[] {
  return [...new Set(breaches.splice(0))];
}
