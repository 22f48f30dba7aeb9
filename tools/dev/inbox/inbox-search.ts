// Finds messages of the inbox by words in their headings, envelope and text. A message's text is
// extracted when it is searched for the first time.
import type { MessageHead, MessageStore } from "./inbox-store.ts";
import { textOf } from "./inbox-view.ts";

/** Maximum number of characters of extracted text in memory, for all messages together. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;

export class MessageSearch {
  readonly #store: MessageStore;
  /** The searchable text of each message, in lower case. */
  readonly #texts = new Map<string, string>();
  #kept = 0;

  constructor(store: MessageStore) {
    this.#store = store;
  }

  /**
   * Returns the newest messages that contain every word of the query, ignoring case. An empty query
   * matches every message. `to` restricts the result to one recipient.
   */
  async find(query: string, to: string | null, limit: number): Promise<MessageHead[]> {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    if (words.length === 0) return this.#store.list(to, limit);
    const found: MessageHead[] = [];
    for (const head of this.#store.list(to, Infinity)) {
      if (found.length >= limit) break;
      const { from, to: shown, subject, mail_from: sender, rcpt_to: recipients } = head;
      const headings = [from, shown, subject, sender, ...recipients].join("\n").toLowerCase();
      const open = words.filter((word) => !headings.includes(word));
      if (open.length === 0 || (await this.#holds(head.id, open))) found.push(head);
    }
    return found;
  }

  clear(): void {
    this.#texts.clear();
    this.#kept = 0;
  }

  async #holds(id: string, words: readonly string[]): Promise<boolean> {
    const text = this.#texts.get(id) ?? (await this.#read(id));
    return words.every((word) => text.includes(word));
  }

  async #read(id: string): Promise<string> {
    const raw = this.#store.raw(id);
    const text = raw === undefined ? "" : (await textOf(raw)).toLowerCase();
    if (this.#kept + text.length > KEPT_CHARACTERS) this.clear();
    this.#texts.set(id, text);
    this.#kept += text.length;
    return text;
  }
}
