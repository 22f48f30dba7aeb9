// Tests the thread that judges the senders of replies: its verdicts, and that it never holds a
// reply up for longer than its time.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { Readable } from "node:stream";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { afterEach, describe, expect, inject, it } from "vitest";
import { MessageMemory } from "../../../smtp-gateway/src/inbound/message-buffer.ts";
import { MessageSpool } from "../../../smtp-gateway/src/inbound/message-spool.ts";
import { SenderJudge } from "../../../smtp-gateway/src/inbound/sender-judge.ts";
import { startDns } from "../../../tools/dev/dns/dns-server.ts";

const FACTS = {
  client: "192.0.2.7",
  hello: "mx.sender.example",
  reversePath: "ann@sender.example",
};
const MAIL = "From: Ann <ann@sender.example>\r\nSubject: Re: Hi\r\n\r\nThank you.\r\n";
const IDENTITY = { signingDomain: "sender.example", selector: "s" };
const ZONE = { id: "z", name: "postern.test", token: "t", destinations: () => [] };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

function judgeAt(port: number, judgeMs = inject("pollMs")): SenderJudge {
  const limits = { startMs: inject("pollMs"), judgeMs };
  const judge = new SenderJudge([`127.0.0.1:${port}`], limits);
  closing.push(() => judge.close());
  return judge;
}

async function spooled(message: string): Promise<MessageSpool> {
  const spool = new MessageSpool(new MessageMemory(1_000_000), 1_000_000);
  closing.push(() => spool.close());
  expect(await spool.fill(Readable.from([Buffer.from(message)]))).toBe("whole");
  return spool;
}

describe("a judge of senders", () => {
  it("tells SPF, DKIM and DMARC apart", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    const dns = await startDns(0, null, ZONE, [
      { name: "sender.example", type: "TXT", data: "v=spf1 ip4:192.0.2.7 -all" },
      { name: "s._domainkey.sender.example", type: "TXT", data: `v=DKIM1; k=rsa; p=${key}` },
      { name: "_dmarc.sender.example", type: "TXT", data: "v=DMARC1; p=reject" },
    ]);
    closing.push(() => dns.close());
    const judge = judgeAt(dns.port);
    expect(await judge.judge(await spooled(await signed(MAIL, privateKey)), FACTS)).toBe(
      "spf=pass dkim=pass dmarc=pass",
    );
    const forged = await spooled(MAIL);
    expect(await judge.judge(forged, { ...FACTS, client: "192.0.2.8" })).toBe(
      "spf=fail dkim=none dmarc=fail",
    );
  });

  it("gives up a judgement that takes too long, and a judgement of too many signatures", async () => {
    const silent = createSocket("udp4").bind(0, "127.0.0.1");
    await once(silent, "listening");
    closing.push(() => silent.close());
    const judge = judgeAt(silent.address().port, 50);
    const spool = await spooled(MAIL);
    expect(await Promise.all([1, 2].map(() => judge.judge(spool, FACTS)))).toEqual([
      undefined,
      undefined,
    ]);
    const many = await spooled(`${"DKIM-Signature: v=1\r\n".repeat(6)}${MAIL}`);
    expect(await judge.judge(many, FACTS)).toBeUndefined();
  });
});

async function signed(message: string, privateKey: KeyObject): Promise<string> {
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const { signatures } = await dkimSign(message, {
    ...IDENTITY,
    privateKey: key,
    signatureData: [{ ...IDENTITY, privateKey: key }],
  });
  return signatures + message;
}
