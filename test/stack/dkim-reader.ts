// Verifies a DKIM signature against the published record, for relaxed/relaxed and rsa-sha256. The
// code follows RFC 6376, and shares nothing with the service's signer.
import { createHash, createPublicKey, createVerify } from "node:crypto";
import dnsPacket from "dns-packet";

/** Returns the TXT record of a name from DNS over HTTPS. The server follows CNAMEs. */
export async function publishedKey(dnsUrl: string, name: string): Promise<string> {
  const query = dnsPacket.encode({
    type: "query",
    id: 0,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ type: "TXT", name }],
  });
  const response = await fetch(`${dnsUrl}/dns-query`, {
    method: "POST",
    headers: { "Content-Type": "application/dns-message" },
    body: new Uint8Array(query),
  });
  const { answers = [] } = dnsPacket.decode(Buffer.from(await response.arrayBuffer()));
  for (const answer of answers)
    if (answer.type === "TXT")
      return Buffer.concat([answer.data].flat().map((part) => Buffer.from(part))).toString();
  return "";
}

/** Returns `pass`, or the reason why verification fails. */
export async function verifyDkim(
  raw: Buffer,
  keyAt: (name: string) => Promise<string>,
): Promise<string> {
  const text = raw.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const fields = text.slice(0, end + 2).match(/[^\r\n]+(?:\r\n[ \t][^\r\n]*)*\r\n/g) ?? [];
  const signature = fields.find((field) => /^dkim-signature:/i.test(field));
  if (!signature) return "no signature";
  const tags = Object.fromEntries(
    signature
      .slice(signature.indexOf(":") + 1)
      .split(";")
      .map((tag) => {
        const at = tag.indexOf("=");
        return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, "")];
      }),
  );
  const lines = text
    .slice(end + 4)
    .split("\r\n")
    .map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  while (lines.at(-1) === "") lines.pop();
  const body = lines.length === 0 ? "" : `${lines.join("\r\n")}\r\n`;
  if (createHash("sha256").update(body, "latin1").digest("base64") !== tags.bh)
    return "body hash differs";
  const left = [...fields];
  const signed = (tags.h ?? "").split(":").flatMap((name) => {
    const index = left.findLastIndex(
      (field) => field.slice(0, field.indexOf(":")).trim().toLowerCase() === name.toLowerCase(),
    );
    return index < 0 ? [] : left.splice(index, 1).map(canonicalize);
  });
  const own = canonicalize(signature.replace(/([;\s]b=)[^;]*/, "$1")).replace(/\r\n$/, "");
  const key = /p=([^;]+)/.exec(await keyAt(`${tags.s}._domainkey.${tags.d}`))?.[1];
  if (!key) return "no key";
  const publicKey = createPublicKey({
    key: Buffer.from(key, "base64"),
    format: "der",
    type: "spki",
  });
  const verifier = createVerify("RSA-SHA256").update(signed.join("") + own, "latin1");
  return verifier.verify(publicKey, tags.b ?? "", "base64") ? "pass" : "signature differs";
}

function canonicalize(field: string): string {
  const at = field.indexOf(":");
  return `${field.slice(0, at).trim().toLowerCase()}:${field
    .slice(at + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim()}\r\n`;
}
