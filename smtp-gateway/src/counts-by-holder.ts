// Counts something for each holder, such as the bytes, look-ups or running messages of a team or a
// destination. A holder with the count 0 takes no memory. Pure.
export class Holdings {
  readonly #held = new Map<string, number>();

  of(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  add(holder: string, amount: number): void {
    const now = this.of(holder) + amount;
    if (now === 0) this.#held.delete(holder);
    else this.#held.set(holder, now);
  }
}
