// Signs people in to the console (docs/people.md), and identifies the person of each request. An
// assertion can open only one session, and the session ends with the assertion. A member's rights
// are read again every minute, so the sessions of a removed member end within a minute.
import { newAuditId } from "../../audit.ts";
import { coreFor } from "../../db/client.ts";
import { sharedCore } from "../../db/core-shards.ts";
import type { Caller } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { sha256Hex } from "../../lib/crypto/crypto.ts";
import { newId } from "../../lib/ids.ts";
import { refuse } from "../../refusal.ts";
import { callerOfMember, forgetTeam } from "../../resources/api-keys/credentials.ts";
import {
  acceptInvitation,
  findInvitation,
  findMember,
  findMemberId,
  type Identity,
  listMemberships,
  useAssertion,
} from "../../resources/members/store.ts";
import type { Settings } from "../../settings.ts";
import { verifyAssertion, type VerifiedAssertion } from "./access-assertion.ts";
import { openInvitation, type SealedMember } from "./session-seal.ts";

interface SigningIn {
  readonly env: Env;
  readonly settings: Settings;
  readonly headers: Headers;
  readonly url: () => string;
  /** The time of the request, in Unix milliseconds. */
  readonly now: number;
  readonly requestId: string;
}

/**
 * The team that a new session opens. `invitation`: the code of an invitation, which the sign-in
 * accepts. `teamId`: a team of the person. Without both, the session opens the team that the person
 * joined first.
 */
interface Wish {
  readonly invitation?: string | undefined;
  readonly teamId?: string | undefined;
}

/**
 * Returns the new session. Refuses a person who has neither a team nor an invitation, before it
 * uses up the assertion.
 */
export async function signInPerson(request: SigningIn, wish: Wish): Promise<SealedMember> {
  const { env, settings } = request;
  if (!settings.access)
    throw refuse("unauthenticated", { reason: "missing", wanted: "access_assertion" });
  const identity = await verifyAssertion(settings.access, request);
  const invited = await invitationOf(request, identity, wish);
  const before = await listMemberships(env, identity);
  if (!invited && before.length === 0) throw refuse("not_a_member", { reason: "uninvited" });
  if (!(await useAssertion(sharedCore(env), await sha256Hex(identity.text), identity.expiresAt)))
    throw refuse("unauthenticated", { reason: "unknown", wanted: "access_assertion" });
  const joined = invited && (await join(request, identity, invited));
  const chosen = joined ?? before.find(({ teamId }) => teamId === wish.teamId) ?? before[0] ?? null;
  if (!chosen) throw refuse("not_a_member", { reason: "uninvited" });
  return sessionUntil(chosen, identity.expiresAt);
}

export function sessionUntil(
  { id: memberId, teamId }: { readonly id: string; readonly teamId: string },
  expiresAt: number,
): SealedMember {
  return { id: crypto.randomUUID(), teamId, memberId, expiresAt };
}

/** Returns the caller of a person's session. Throws `not_a_member` for a person who was removed. */
export async function callerOfPerson(env: Env, sealed: SealedMember, now: number): Promise<Caller> {
  const { teamId, memberId } = sealed;
  const find = () => findMember(coreFor(env, teamId), memberId);
  const caller = await callerOfMember(sealed, now, find);
  if (!caller) throw refuse("not_a_member", { reason: "removed" });
  return { ...caller, session: sealed.id };
}

async function invitationOf(
  { env, settings, now }: SigningIn,
  { email }: VerifiedAssertion,
  { invitation }: Wish,
): Promise<{ readonly id: string; readonly teamId: string } | undefined> {
  if (invitation === undefined) return undefined;
  const opened = await openInvitation(settings, invitation, now);
  const row = opened && (await findInvitation(coreFor(env, opened.teamId), opened.id, now));
  if (!row) throw refuse("not_a_member", { reason: "invitation_over" });
  if (row.email !== email) throw refuse("not_a_member", { reason: "other_address" });
  return row;
}

async function join(
  { env, now, requestId }: SigningIn,
  identity: Identity,
  { id, teamId }: { readonly id: string; readonly teamId: string },
): Promise<{ readonly id: string; readonly teamId: string }> {
  const memberId = (await findMemberId(coreFor(env, teamId), identity)) ?? newId("member");
  const author = {
    entryId: newAuditId(now),
    at: now,
    actor: { kind: "person", id: memberId, name: identity.email },
    via: "console",
    operation: "member.join",
    requestId,
  } as const;
  const member = await acceptInvitation(coreFor(env, teamId, author), id, identity, memberId, now);
  if (!member) throw refuse("not_a_member", { reason: "invitation_over" });
  forgetTeam(teamId);
  return member;
}
