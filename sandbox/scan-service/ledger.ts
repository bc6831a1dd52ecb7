import type { LedgerEntry } from './records.ts';

/**
 * The prepaid credits of the organization, in whole numbers. Each launch reserves credits. When its scan ends, the used
 * credits are spent, and the rest is released.
 */
export class Ledger {
  readonly #entries: LedgerEntry[] = [];
  readonly #now: () => Date;

  constructor(credits: number, now: () => Date) {
    this.#now = now;
    this.#enter('purchase', null, credits);
  }

  /** Replaces all entries by stored entries. */
  restore(entries: readonly LedgerEntry[]): void {
    this.#entries.splice(0, this.#entries.length, ...entries);
  }

  /** Reserves the budget of a scan. Returns false and adds no entry if the balance is too small. */
  reserve(scanId: string, credits: number): boolean {
    if (credits > this.state().balance) return false;
    this.#enter('reserve', scanId, credits);
    return true;
  }

  /** Ends a reservation. The used credits are spent, and the unused credits return to the balance. */
  close(scanId: string, used: number): void {
    const own = this.#entries.filter((entry) => entry.scanId === scanId);
    const open = sum(own, 'reserve') - sum(own, 'settle') - sum(own, 'release');
    if (used > open) throw new Error(`scan ${scanId} used ${used} credits of ${open}`);
    if (used > 0) this.#enter('settle', scanId, used);
    if (open - used > 0) this.#enter('release', scanId, open - used);
  }

  /** Returns the number of credits that a scan has spent. The number is 0 until the reservation ends. */
  spentBy(scanId: string): number {
    return sum(
      this.#entries.filter((entry) => entry.scanId === scanId),
      'settle',
    );
  }

  /** Returns the credits that these scans have reserved or spent. */
  committedBy(scanIds: ReadonlySet<string>): number {
    const own = this.#entries.filter((entry) => entry.scanId !== null && scanIds.has(entry.scanId));
    return sum(own, 'reserve') - sum(own, 'release');
  }

  /**
   * Returns the entries and their sums. `balance` is what launches can still reserve. Balance, reserved and spent
   * credits add up to all purchases.
   */
  state() {
    const settled = sum(this.#entries, 'settle');
    const reserved = sum(this.#entries, 'reserve') - settled - sum(this.#entries, 'release');
    const balance = sum(this.#entries, 'purchase') - reserved - settled;
    return { balance, reserved, spent: settled, entries: [...this.#entries] };
  }

  #enter(kind: LedgerEntry['kind'], scanId: string | null, credits: number): void {
    this.#entries.push({ at: this.#now().toISOString(), kind, scanId, credits });
  }
}

function sum(entries: readonly LedgerEntry[], kind: LedgerEntry['kind']): number {
  return entries.filter((entry) => entry.kind === kind).reduce((total, entry) => total + entry.credits, 0);
}
