// Understands what is typed into "Why did my mail to …": an address, an email id, a Message-ID or
// words of a subject. Pure.

export type WhyQuestion =
  | { readonly kind: "email"; readonly id: string }
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "message_id"; readonly messageId: string }
  | { readonly kind: "subject"; readonly words: string };

const EMAIL_ID = /\bemail_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i;
const ADDRESS = /^<?([^\s<>@]{1,64}@[^\s<>@.]+(?:\.[^\s<>@.]+)+)>?$/;
/** Our Message-IDs begin with the message's UUID; others are long, or hold what no address has. */
const MESSAGE_ID = /^<?[^\s<>@]+@[^\s<>@]+>?$/;
const OWN_MESSAGE_ID = /^<?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}@/i;

/** Returns the question; null: nothing was typed. */
export function readQuestion(typed: string): WhyQuestion | null {
  const text = typed.trim();
  if (text === "") return null;
  const id = EMAIL_ID.exec(text)?.[0];
  if (id !== undefined) return { kind: "email", id: id.toLowerCase() };
  const isBracketed = text.startsWith("<") && MESSAGE_ID.test(text);
  if (isBracketed || OWN_MESSAGE_ID.test(text))
    return { kind: "message_id", messageId: `<${text.replace(/^<|>$/g, "")}>` };
  const address = ADDRESS.exec(text)?.[1];
  if (address !== undefined) return { kind: "address", address: address.toLowerCase() };
  return { kind: "subject", words: text };
}

/** Says what was understood. */
export function describeQuestion(question: WhyQuestion): string {
  switch (question.kind) {
    case "email":
      return `the message ${question.id}`;
    case "address":
      return `all mail to ${question.address}`;
    case "message_id":
      return `the message with the Message-ID ${question.messageId}`;
    case "subject":
      return `messages whose subject has the words “${question.words}”`;
  }
}
