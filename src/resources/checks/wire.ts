// The shape of GET /admin/checks (docs/checks.md).
import * as z from "zod";
import { CHECK_STATUSES } from "../../operator/check-entry.ts";

const CheckRow = z.object({
  /** The check's name, such as `queues.moving`. */
  check: z.string(),
  /** The part of the deployment that the row is about, such as a queue or a gateway's URL. */
  subject: z.string().nullable(),
  title: z.string(),
  status: z.enum(CHECK_STATUSES),
  /** Null: the value is unknown, or the check has no number. */
  value: z.number().nullable(),
  /** The value with its unit. Empty: the value is unknown. */
  value_text: z.string(),
  /** The value beyond which the check needs attention. Null: the check has no limit. */
  limit: z.number().nullable(),
  /** The limit with its unit. Empty: the check has no limit. */
  limit_text: z.string(),
  /** The unit of `value` and `limit`. */
  unit: z.enum(["count", "seconds", "share"]),
  /**
   * When the worker first saw the check beyond its limit. Null: the check is within its limit, or
   * the time is unknown.
   */
  since: z.iso.datetime().nullable(),
  message: z.string(),
  /** The operator's next step. Null: the check needs no attention. */
  next_step: z.string().nullable(),
  /** The page and heading of the documentation that explain the check. */
  page: z.string(),
  /** The series or the request that was read, with the result. */
  evidence: z.string(),
});
export type CheckRow = z.output<typeof CheckRow>;

export const Checks = z.object({
  checked_at: z.iso.datetime(),
  /** The worst status of all checks. */
  status: z.enum(CHECK_STATUSES),
  checks: z.array(CheckRow),
});
export type Checks = z.output<typeof Checks>;

/** Returns a row without a number, a limit and a next step. */
export function emptyRow(check: string, subject: string | null, page: string) {
  return {
    check,
    subject,
    value: null,
    value_text: "",
    limit: null,
    limit_text: "",
    unit: "count" as const,
    since: null,
    next_step: null,
    page,
    evidence: "",
  };
}
