// The examples in the OpenAPI document, by operation. The contract tests check each against its
// schema, and send those that can be sent.
import type { Example } from "./example-values.ts";
import { MESSAGE_EXAMPLES } from "./message-examples.ts";
import { OPERATOR_EXAMPLES } from "./operator-examples.ts";
import { RECIPIENT_EXAMPLES } from "./recipient-examples.ts";
import { TEAM_EXAMPLES } from "./team-examples.ts";
import { WEBHOOK_EXAMPLES } from "./webhook-examples.ts";

/**
 * The examples by operation id. An operation that is missing here, such as a deletion, has neither
 * a body nor an answer to show.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...MESSAGE_EXAMPLES,
  ...RECIPIENT_EXAMPLES,
  ...TEAM_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...OPERATOR_EXAMPLES,
};
