// Resend's endpoint of usage, translated to Postern's (docs/from-resend.md §Usage).
import type * as z from "zod";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { TeamUsage } from "../../resources/usage/wire.ts";
import type { ResendEndpoint } from "./resend-endpoint.ts";

/** The usage that the answer shows for features that Postern does not have. */
const NOTHING = { used: 0, limit: 0 } as const;
const DOMAINS_COUNTED = 100;

export const usageEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/usage",
    async handle({ now }, own) {
      const usage = await own.ask<z.output<typeof TeamUsage>>({ method: "GET", path: "/v1/usage" });
      const domains = await own.ask<{ data: readonly unknown[] }>({
        method: "GET",
        path: `/v1/domains?limit=${DOMAINS_COUNTED}`,
      });
      const { daily, monthly } = usage;
      return {
        object: "usage",
        generated_at: new Date(now).toISOString(),
        emails: { daily: quotaOf(daily), monthly: quotaOf(monthly) },
        contacts: NOTHING,
        segments: NOTHING,
        broadcasts: { used: 0, limit: null },
        ai_credits: { ...NOTHING, next_increase_at: null },
        automation_runs: { ...NOTHING, resets_at: monthly.resets_at },
        domains: { used: domains.data.length, limit: null },
        rate_limit: { limit: usage.requests_per_second, duration: "1s" },
      };
    },
  },
];

function quotaOf({ used, limit, resets_at }: Figures): JsonObject {
  return { used, limit, sent: used, received: 0, resets_at };
}

interface Figures {
  readonly used: number;
  readonly limit: number;
  readonly resets_at: string;
}
