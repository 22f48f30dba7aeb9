// Declares the JSON of the console's sessions and links (contract.md §Console sessions).
import * as z from "zod";
import type { Caller, Person as CallerPerson } from "../../endpoint.ts";
import { ROLES } from "../../member-rights.ts";
import type { Membership } from "../../resources/members/store.ts";
import { SESSION_KINDS } from "./session-cookie.ts";

const SECRET_CHARACTERS = 4_096;

const secret = (description: string) =>
  z.string().min(1).max(SECRET_CHARACTERS).optional().describe(description);

export const ConsoleSignIn = z
  .object({
    key: secret("An API key of the team."),
    link: secret("The part after `#` of a link from `POST /admin/console-links`."),
    admin_token: secret("The operator's `ADMIN_TOKEN`."),
    access: z
      .literal(true)
      .optional()
      .describe("Signs in the person whose assertion Cloudflare Access adds to the request."),
    invitation: secret("With `access`: the `code` of an invitation's link."),
    team_id: z.string().optional().describe("With `access`: the team to open."),
  })
  .refine(
    ({ key, link, admin_token: token, access }) =>
      [key, link, token, access].filter((one) => one !== undefined).length === 1,
    { error: "is required, unless `link`, `admin_token` or `access` is given", path: ["key"] },
  )
  .meta({
    id: "ConsoleSignIn",
    description: "Exactly one of `key`, `link`, `admin_token` and `access`.",
  });

const Person = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  may_lift_suppressions: z.boolean(),
  may_read_content: z.boolean(),
});

export const SwitchTeam = z.object({ team_id: z.string() });

export const SignInMethods = z
  .object({
    access: z.boolean().describe("True: people sign in by Cloudflare Access."),
    keys: z.boolean().describe("True: API keys sign in."),
  })
  .meta({ id: "SignInMethods" });

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
    person: Person.optional().describe("The member that is signed in; `api_key` is null then."),
    teams: z
      .array(z.object({ id: z.string(), name: z.string(), role: z.enum(ROLES) }))
      .optional()
      .describe("The teams of the person."),
    operations: z
      .array(z.string())
      .optional()
      .describe(
        "The operations that the key or the person may use, as method and path: " +
          "`DELETE /v1/domains/{id}`. Absent in the operator's session.",
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

interface SessionRights {
  /** The teams of which the person is a member. */
  readonly teams: readonly Membership[];
  readonly operations: readonly string[];
}

export function toTeamSession(
  { team, key, person }: Caller,
  expiresAt: number,
  { teams, operations }: SessionRights,
): z.output<typeof ConsoleSession> {
  return {
    team: { id: team.id, name: team.name },
    api_key: key && { id: key.id, permissions: key.permissions },
    ...(person && {
      person: toPerson(person),
      teams: teams.map(({ teamId, teamName, role }) => ({ id: teamId, name: teamName, role })),
    }),
    operations: [...operations],
    expires_at: new Date(expiresAt).toISOString(),
  };
}

function toPerson({ id, email, role, mayLift, mayReadContent }: CallerPerson) {
  return { id, email, role, may_lift_suppressions: mayLift, may_read_content: mayReadContent };
}

export function toOperatorSession(expiresAt: number): z.output<typeof ConsoleSession> {
  return { team: null, api_key: null, expires_at: new Date(expiresAt).toISOString() };
}
