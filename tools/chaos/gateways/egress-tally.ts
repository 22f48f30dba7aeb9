// Counts the answers of the gateway's hosts to the worker, so that a run shows which cases
// occurred.
import { RecentLines } from "../recent-lines.ts";

/** The members of a result line that are counted. */
export interface CountedLine {
  /** The key of a copy, in the form `<email id>/<recipient index>/<attempt>`. */
  readonly key: string;
  readonly kind: string;
  readonly why?: string;
}

export class EgressTally {
  /** Counts by name. */
  readonly counts = new Map<string, number>();
  /** The last answers, for a timeline. */
  readonly lines = new RecentLines();
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
    this.lines.add(`${by} ${what} ${key} ${JSON.stringify(ages)}`);
    if (isAsk)
      return this.note(`asked: ${kind === "reply" || kind === "failure" ? "known" : kind}`);
    if (kind === "not_taken") this.note(`not taken: ${why}`);
    if (kind !== "under_way") return;
    this.note("left under way");
    this.left.add(key.slice(0, key.indexOf("/")));
  }
}
