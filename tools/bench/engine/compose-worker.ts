// The deployed composer, in workerd. `compose` makes the signed bytes of one recipient's copy of
// the bench's message, with a key that is imported once, as in the worker. `sign` makes only the
// RSA signature.
import { Buffer } from "node:buffer";
import { MESSAGE, SENDER_DOMAIN } from "../../harness/sample-message.ts";
import type { EngineTurns } from "./work.ts";

type SigningKey = Parameters<typeof crypto.subtle.sign>[1];

interface DkimKey {
  readonly domain: string;
  readonly selector: string;
  readonly key: SigningKey;
}

/** Exports of src/mail/compose. */
interface Composer {
  readonly compose: (input: {
    message: object;
    content: object;
    recipientIndex: number;
    dkim: DkimKey;
  }) => Promise<Uint8Array<ArrayBuffer>>;
}

interface Env {
  /** PKCS #8, base64. */
  readonly DKIM_KEY: string;
}

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
/** Approximate size of a message's signed headers. */
const SIGNED = new Uint8Array(600);
const [RECIPIENT = ""] = MESSAGE.to;
const ID = "0197e3a0-5b1f-7c2d-8e4f-112233445566";

/** The message as the ledger stores it (src/mail/message.ts). */
const message = {
  id: `email_${ID}`,
  teamId: "team_bench",
  acceptedAt: Date.UTC(2026, 10, 20, 12),
  source: "http",
  from: { email: `hello@${SENDER_DOMAIN}`, name: "Bench" },
  fromDomain: SENDER_DOMAIN,
  domainId: "domain_bench",
  to: [{ email: RECIPIENT, name: null }],
  cc: [],
  replyTo: [],
  recipients: [RECIPIENT],
  subject: MESSAGE.subject,
  messageId: `<${ID}@${SENDER_DOMAIN}>`,
  headers: [],
  tags: MESSAGE.tags,
  topic: null,
  campaign: null,
  templateId: null,
  ipPool: null,
};
const content = { text: MESSAGE.text, html: MESSAGE.html, attachments: [] };

export function workerAround({ compose }: Composer): {
  fetch(request: Request, env: Env): Promise<Response>;
} {
  let key: DkimKey | undefined;
  return {
    async fetch(request, env) {
      const { task, times } = (await request.json()) as EngineTurns;
      const dkim = (key ??= await importKey(env.DKIM_KEY));
      let output = new Uint8Array();
      for (let turn = 0; turn < times; turn += 1) {
        if (task === "compose")
          output = await compose({ message, content, recipientIndex: 0, dkim });
        else await crypto.subtle.sign(ALGORITHM.name, dkim.key, SIGNED);
      }
      return new Response(output);
    },
  };
}

async function importKey(pkcs8: string): Promise<DkimKey> {
  const imported = await crypto.subtle.importKey(
    "pkcs8",
    Buffer.from(pkcs8, "base64"),
    ALGORITHM,
    false,
    ["sign"],
  );
  return { domain: SENDER_DOMAIN, selector: "bench", key: imported };
}
