// Classifies the text of the search field: an address or its beginning, a domain, an email id, a
// request id, a Message-ID, a pair of metadata, or words of a subject. Pure.

export type WhySearch =
  | { readonly kind: "email"; readonly id: string }
  | { readonly kind: "request"; readonly id: string }
  | { readonly kind: "address"; readonly address: string }
  /** The beginning of an address. If `isWord` is true, the text may also be a word of a subject. */
  | { readonly kind: "beginning"; readonly text: string; readonly isWord: boolean }
  | { readonly kind: "domain"; readonly domain: string }
  | { readonly kind: "message_id"; readonly messageId: string }
  /** A pair of a message's metadata, such as `order_id=52019`. */
  | { readonly kind: "metadata"; readonly pair: string }
  | { readonly kind: "subject"; readonly words: string };

const ID = /\b(email|req)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
const ADDRESS = /^<?([^\s<>@]{1,64}@[^\s<>@.]+(?:\.[^\s<>@.]+)+)>?$/;
const BEGINNING = /^<?([^\s<>@]{1,64}(?:@[^\s<>@]*)?)$/;
/** The name of a pair as the API takes it (contract.md §Metadata). */
const PAIR = /^[A-Za-z0-9_-]{1,64}=\S/;
const DOMAIN = /^@([^\s<>@]+)$/;
/**
 * Matches a Message-ID in angle brackets. A text without brackets could be an address. Therefore
 * only the service's own Message-IDs, which begin with a UUID, are recognised without brackets.
 */
const MESSAGE_ID = /^<?[^\s<>@]+@[^\s<>@]+>?$/;
const OWN_MESSAGE_ID = /^<?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}@/i;
/**
 * The length from which the API completes the beginning of an address (contract.md §Recipients).
 */
const SHORTEST_BEGINNING = 3;

/** Returns the search for the typed text. Null: the text has nothing to search for. */
export function readWhySearch(typed: string): WhySearch | null {
  const text = typed.trim();
  if (text === "" || text === "@") return null;
  const [id, prefix] = ID.exec(text.toLowerCase()) ?? [];
  if (id !== undefined) return { kind: prefix === "req" ? "request" : "email", id };
  const isBracketed = /^<.*>$/.test(text) && MESSAGE_ID.test(text);
  if (isBracketed || OWN_MESSAGE_ID.test(text))
    return { kind: "message_id", messageId: `<${text.replace(/^<|>$/g, "")}>` };
  const address = ADDRESS.exec(text)?.[1];
  if (address !== undefined) return { kind: "address", address: address.toLowerCase() };
  if (PAIR.test(text)) return { kind: "metadata", pair: text };
  const domain = DOMAIN.exec(text)?.[1];
  if (domain !== undefined) return { kind: "domain", domain: domain.toLowerCase() };
  const beginning = BEGINNING.exec(text)?.[1]?.toLowerCase() ?? "";
  if (beginning.length >= SHORTEST_BEGINNING)
    return { kind: "beginning", text: beginning, isWord: !beginning.includes("@") };
  return { kind: "subject", words: text };
}

/** Describes the search in words. */
export function describeWhySearch(question: WhySearch): string {
  switch (question.kind) {
    case "email":
      return `the message ${question.id}`;
    case "request":
      return `the request ${question.id}`;
    case "address":
      return `all mail to ${question.address}`;
    case "beginning":
      return question.isWord
        ? `addresses that begin with “${question.text}”, and messages with this word in the subject`
        : `addresses that begin with “${question.text}”`;
    case "domain":
      return `all mail to ${question.domain}`;
    case "message_id":
      return `the message with the Message-ID ${question.messageId}`;
    case "metadata":
      return `messages with the metadata ${question.pair}`;
    case "subject":
      return `messages with “${question.words}” in the subject`;
  }
}

/**
 * Returns the typed address or its beginning, for which the field suggests addresses. Null: the
 * field suggests nothing.
 */
export function beginningIn(typed: string): string | null {
  const question = readWhySearch(typed);
  if (question?.kind === "beginning") return question.text;
  return question?.kind === "address" ? question.address : null;
}

/** Returns the option to which an arrow key moves. -1 means the typed text itself. */
export function optionAfter(active: number, count: number, key: string): number {
  const step = key === "ArrowDown" ? 1 : -1;
  return ((active + 1 + step + count + 1) % (count + 1)) - 1;
}
