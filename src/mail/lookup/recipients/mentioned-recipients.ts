// Reads the recipients of a message that the ledger found by searching its JSON for a text. Pure.
import type { MentioningMessage } from "../../../rpc/ledger.ts";
import type { Message } from "../../message.ts";

export function recipientsIn({ meta }: MentioningMessage): readonly string[] {
  return (JSON.parse(meta) as Message).recipients;
}
