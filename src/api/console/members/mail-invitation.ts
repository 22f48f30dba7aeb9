// Sends an invitation by mail. The mail is a normal send of the operator's team NOTICES_TEAM.
import { Buffer } from "node:buffer";
import type { ApiRequest } from "../../../endpoint.ts";
import { logWarning } from "../../../lib/log.ts";
import { INVITATION_MS, DAY_MS } from "../../../limits.ts";
import { acceptEmail } from "../../../mail/accept/accept-email.ts";
import { teamFor } from "../../../resources/team-settings/team-cache.ts";

interface InvitationMail {
  readonly email: string;
  readonly teamName: string;
  readonly link: string;
}

/**
 * Sends the mail, and returns whether the service accepted it. If it did not, the owner can still
 * pass on the link in the response.
 */
export async function mailInvitation(
  request: ApiRequest,
  { email, teamName, link }: InvitationMail,
): Promise<boolean> {
  const { env, settings, now } = request;
  const { notices } = settings;
  const team = notices && (await teamFor(env, notices.teamId, now));
  if (!team) return false;
  const body = {
    from: notices.from,
    to: [email],
    subject: `Invitation to ${teamName}`,
    text:
      `You are invited to the team ${teamName} in Postern.\n\n` +
      `Open this link within ${INVITATION_MS / DAY_MS} days, and sign in as ${email}:\n\n${link}\n`,
    tracking: { opens: false, clicks: false },
    // The mail contains the secret link, so the service must not store its content.
    sensitive: true,
  };
  try {
    const { status, body: answer } = await acceptEmail({
      ...request,
      caller: { team, key: null, session: null },
      bytes: Buffer.from(JSON.stringify(body)),
      headers: new Headers(),
      sent: undefined,
    });
    if (status !== 202) logWarning("invitation_not_mailed", { answer: answer ?? null });
    return status === 202;
  } catch (error) {
    logWarning("invitation_not_mailed", { error: String(error) });
    return false;
  }
}
