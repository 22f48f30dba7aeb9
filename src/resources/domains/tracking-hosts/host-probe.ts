// Proves that requests to a tracking host reach this service (docs/tracking.md §Hosts). The worker
// sends a new token to the host over https, and only this service can make the right response. So
// the proof fails for a name without a certificate, for a foreign website and for a cached page.
import { openToken, sealToken } from "../../../lib/crypto/signed-token.ts";
import type { Settings } from "../../../settings.ts";
import { printable } from "../dns-answer-texts.ts";

const QUESTION = "host question";
const ANSWER = "host answer";
const NONCE_BYTES = 16;
const TIMEOUT_MS = 5_000;
const READ_CHARACTERS = 200;

/** Returns the response to a probe's token, or null if the token is not valid on this host. */
export async function answerProbe(
  signingKey: string,
  host: string,
  token: string,
): Promise<string | null> {
  const nonce = await openToken(signingKey, QUESTION, token, host);
  return nonce ? sealToken(signingKey, ANSWER, nonce, host) : null;
}

/**
 * Sends a probe to a host. Returns null if the service answered, else a clause that describes the
 * actual response.
 */
export async function probeHost(
  { signingKey }: Pick<Settings, "signingKey">,
  host: string,
): Promise<string | null> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const token = await sealToken(signingKey, QUESTION, nonce, host);
  try {
    const response = await fetch(`https://${host}/h/${token}`, {
      redirect: "manual",
      headers: { "User-Agent": "postern-host-check", "Cache-Control": "no-cache" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = (await response.text()).slice(0, READ_CHARACTERS);
    if (response.ok && text === (await sealToken(signingKey, ANSWER, nonce, host))) return null;
    return `another server answers https://${host} (HTTP ${response.status})`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `https://${host} does not answer: ${printable(reason)}`;
  }
}
