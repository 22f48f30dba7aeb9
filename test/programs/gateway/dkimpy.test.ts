// Tests the signatures of composed messages with dkimpy, where it is installed.
import { execFileSync } from "node:child_process";
import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { type DkimKey, signMessage } from "../../../src/mail/compose/dkim.ts";
import { COMPOSED_CASES, composeNow } from "../../gateway/composed-cases.ts";
import { hasTool } from "../../support/outside-tools.ts";
import { signingKey, verified } from "../../unit/mail/compose/fixtures.ts";

const RAW: Record<string, string> = {
  "octets beyond ASCII":
    "From: \xc3\xa9 <a@example.com>\r\nSubject: \xe9\xff\r\n\r\n8-bit \xe9\xa0 body\t \r\n\r\n",
  "an empty body": "From: a@example.com\r\nTo: b@example.org\r\n\r\n",
  "several fields of one name, folded":
    "To: one@example.org\r\nFrom:\r\n\ta@example.com\r\nto: two@example.org,\r\n  " +
    "three@example.org\r\n\r\nx  y\r\n",
};

it.runIf(hasTool("dkimpy"))(
  "dkimpy verifies every signature, and no signature of a changed message",
  async () => {
    const { dkim, publicKey } = await signingKey();
    const messages: Uint8Array[] = await Promise.all(Object.values(COMPOSED_CASES).map(composeNow));
    for (const raw of Object.values(RAW))
      messages.push(
        await signMessage(new Uint8Array(Buffer.from(raw, "latin1")), dkim, Date.now()),
      );
    const changed = messages.map(
      (bytes) => new Uint8Array(Buffer.concat([bytes, Buffer.from("more\r\n")])),
    );
    for (const bytes of messages) expect(await verified(bytes, publicKey)).toBeInstanceOf(Map);
    const answers = await dkimpyVerdicts([...messages, ...changed], publicKey);
    expect(answers).toEqual([...messages.map(() => true), ...changed.map(() => false)]);
    for (const bytes of changed) expect(await verified(bytes, publicKey)).toBe("body hash differs");
  },
);

/** Verifies each message with dkimpy. */
async function dkimpyVerdicts(
  messages: readonly Uint8Array[],
  publicKey: DkimKey["key"],
): Promise<boolean[]> {
  const spki = Buffer.from(await crypto.subtle.exportKey("spki", publicKey)).toString("base64");
  const script = `
import base64, dkim, json, sys
given = json.load(sys.stdin)
find = lambda name, timeout=5: given["record"].encode() if name in (b"s1._domainkey.example.com.", "s1._domainkey.example.com.") else None
print(json.dumps([dkim.verify(base64.b64decode(m), dnsfunc=find) for m in given["messages"]]))`;
  const input = JSON.stringify({
    record: `v=DKIM1; k=rsa; p=${spki}`,
    messages: messages.map((bytes) => Buffer.from(bytes).toString("base64")),
  });
  return JSON.parse(
    execFileSync("/usr/bin/python3", ["-c", script], { input, encoding: "utf8" }),
  ) as boolean[];
}
