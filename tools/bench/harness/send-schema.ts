// Checks the body of a plain send endpoint with zod, for the peer stack and the reference worker.
import * as z from "zod";

const address = z.string().min(3).max(320);

export const SendBody = z.object({
  from: address,
  to: z.array(address).min(1).max(50),
  cc: z.array(address).max(50).optional(),
  bcc: z.array(address).max(50).optional(),
  reply_to: z.union([address, z.array(address).max(10)]).optional(),
  subject: z.string().min(1).max(998),
  text: z.string().max(1_000_000).optional(),
  html: z.string().max(1_000_000).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  tags: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/))
    .max(10)
    .optional(),
});

export const BatchBody = z.object({ emails: z.array(SendBody).min(1).max(100) });
