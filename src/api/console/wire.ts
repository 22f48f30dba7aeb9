// Declares the JSON of the console's sessions and links (contract.md §Console sessions).
import * as z from "zod";
import type { Caller } from "../../endpoint.ts";
import { SESSION_KINDS } from "./session-cookie.ts";

const SECRET_CHARACTERS = 4_096;

const secret = (description: string) =>
  z.string().min(1).max(SECRET_CHARACTERS).optional().describe(description);

export const ConsoleSignIn = z
  .object({
    key: secret("An API key of the team."),
    link: secret("The part after `#` of a link from `POST /admin/console-links`."),
    admin_token: secret("The operator's `ADMIN_TOKEN`."),
  })
  .refine(
    ({ key, link, admin_token: token }) =>
      [key, link, token].filter((one) => one !== undefined).length === 1,
    { error: "is required, unless `link` or `admin_token` is given", path: ["key"] },
  )
  .meta({ id: "ConsoleSignIn", description: "Exactly one member." });

export const ConsoleSession = z
  .object({
    team: z.object({ id: z.string(), name: z.string() }).nullable(),
    api_key: z
      .object({ id: z.string(), permissions: z.enum(["full", "send_only"]) })
      .nullable()
      .describe(
        "The key that the session stands for. `key` and `team` are null in the operator's " +
          "session.",
      ),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "ConsoleSession" });

/**
 * The parameter that chooses between a team's session and the operator's. A browser can have both
 * sessions.
 */
export const SessionChoice = z.object({
  as: z.enum(SESSION_KINDS).default("team").describe("The team's session or the operator's."),
});

export const ConsoleLinkRequest = z.object({ team_id: z.string() });

export const ConsoleLink = z.object({ url: z.url(), expires_at: z.iso.datetime() });

export function toTeamSession(
  { team, key }: Caller,
  expiresAt: number,
): z.output<typeof ConsoleSession> {
  return {
    team: { id: team.id, name: team.name },
    api_key: { id: key.id, permissions: key.permissions },
    expires_at: new Date(expiresAt).toISOString(),
  };
}

export function toOperatorSession(expiresAt: number): z.output<typeof ConsoleSession> {
  return { team: null, api_key: null, expires_at: new Date(expiresAt).toISOString() };
}
