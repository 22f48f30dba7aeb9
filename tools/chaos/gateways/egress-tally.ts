// Counts the answers of the gateway's hosts to the worker, so that a run shows which cases
// occurred.

/** The members of a result line that are counted. */
interface CountedLine {
  /** The key of a copy, in the form `<email id>/<recipient index>/<attempt>`. */
  readonly key: string;
  readonly kind: string;
  readonly why?: string;
}

const LINES_KEPT = 10_000;

export class EgressTally {
  /** Counts by name. */
  readonly counts = new Map<string, number>();
  /** The last answers, for a timeline. */
  lines: { readonly at: number; readonly text: string }[] = [];
  /**
   * Messages with a copy whose outcome was still unknown when the queue consumer stopped waiting
   * for it.
   */
  readonly left = new Set<string>();
  /** Requests that the worker must not make. */
  readonly wrong: string[] = [];

  note(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** `by` is the host's URL. */
  noteLine({ key, kind, why, ...ages }: CountedLine, isAsk: boolean, by: string): void {
    const what = `${isAsk ? "asked" : "handed over"}: ${kind} ${why ?? ""}`;
    this.lines.push({ at: Date.now(), text: `${by} ${what} ${key} ${JSON.stringify(ages)}` });
    if (this.lines.length > 2 * LINES_KEPT) this.lines = this.lines.slice(-LINES_KEPT);
    if (isAsk)
      return this.note(`asked: ${kind === "reply" || kind === "failure" ? "known" : kind}`);
    if (kind === "not_taken") this.note(`not taken: ${why}`);
    if (kind !== "under_way") return;
    this.note("left under way");
    this.left.add(key.slice(0, key.indexOf("/")));
  }
}
