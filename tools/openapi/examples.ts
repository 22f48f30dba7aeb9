// The examples in the OpenAPI document, by operation. The contract tests check each example against
// its schema, and send the examples of requests where possible.
import type { Example } from "./example-values.ts";
import { MESSAGE_EXAMPLES } from "./message-examples.ts";
import { OPERATOR_EXAMPLES } from "./operator-examples.ts";
import { PEOPLE_EXAMPLES } from "./people-examples.ts";
import { RECIPIENT_EXAMPLES } from "./recipient-examples.ts";
import { REPLY_EXAMPLES } from "./reply-examples.ts";
import { TEAM_EXAMPLES } from "./team-examples.ts";
import { WEBHOOK_EXAMPLES } from "./webhook-examples.ts";

/**
 * The examples by operation id. An operation is missing here if it has no body and no answer, such
 * as a deletion.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...MESSAGE_EXAMPLES,
  ...RECIPIENT_EXAMPLES,
  ...TEAM_EXAMPLES,
  ...REPLY_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...OPERATOR_EXAMPLES,
  ...PEOPLE_EXAMPLES,
};
