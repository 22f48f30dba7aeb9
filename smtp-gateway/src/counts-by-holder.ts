// Keeps a number for each holder (such as a team or a destination), for example the holder's bytes,
// look-ups or messages under way. A holder with the number 0 takes no memory. Pure.
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
