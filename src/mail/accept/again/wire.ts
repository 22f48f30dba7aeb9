// The JSON of POST /v1/email/{id}/send-again (contract.md §Sending again).
import * as z from "zod";

export const SendAgainRequest = z.object({
  to: z
    .string()
    .optional()
    .describe("One recipient of the message. Required unless the message had only one."),
});
