// Tests that a reply address takes mail for a genuine token alone (src/mail/reply-token.ts): a
// thousand forged ones are unknown, in whichever way they were forged.
import { describe, expect, it } from "vitest";
import { decodeBase32, encodeBase32 } from "../../../src/lib/crypto/base32.ts";
import { newEmailId } from "../../../src/lib/ids.ts";
import { judgeReplyAddress } from "../../../src/mail/feedback/replies/receive-reply.ts";
import { releaseDayAt } from "../../../src/mail/recipient-ref.ts";
import { mintReplyToken, readReplyToken } from "../../../src/mail/reply-token.ts";
import { mintToken } from "../../../src/mail/token.ts";
import { settingsOf } from "../../../src/settings.ts";
import { bindings, makeTeam } from "../../support/api.ts";
import { fc } from "../../support/properties.ts";
import { everyCore } from "../../support/every-core.ts";

const FORGED = 1_000;
const DAY_MS = 86_400_000;
const TO = "ann@receiver.example";

describe("a reply token", () => {
  it("that is genuine is open for a year, and none of a thousand forged tokens is known", async () => {
    const key = settingsOf(bindings).signingKey;
    const { id } = await makeTeam();
    const find = "SELECT number FROM teams WHERE id = ?";
    const teamNumber = await everyCore.prepare(find).bind(id).first<number>("number");
    const now = Date.now();
    const refAt = (at: number, team = teamNumber ?? 0) => ({
      teamNumber: team,
      emailId: newEmailId(at),
      recipientIndex: 0,
      releaseDay: releaseDayAt(at),
    });
    const kindOf = async (text: string) => (await judgeReplyAddress(bindings, text, 1, now)).kind;
    const mint = (at: number) => mintReplyToken(key, refAt(at), TO);
    const genuine = await mint(now);
    expect(await Promise.all([genuine, await mint(now - 364 * DAY_MS)].map(kindOf))).toEqual([
      "open",
      "open",
    ]);
    const bytes = decodeBase32(genuine)!;
    const changed = (at: number, by: number) =>
      encodeBase32(bytes.map((byte, index) => (index === at ? byte ^ by : byte)));
    const mutated = fc
      .tuple(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }))
      .map(([at, by]) => changed(at, by));
    const cut = fc
      .integer({ min: 0, max: genuine.length - 1 })
      .chain((length) => fc.constantFrom(genuine.slice(0, length), genuine.slice(-length || 61)));
    const random = fc.uint8Array({ minLength: bytes.length, maxLength: bytes.length });
    const made = fc.oneof(
      mutated,
      cut.filter((text) => text !== genuine),
      random.map((some) => encodeBase32(Uint8Array.from([1, ...some.slice(1)]))),
      fc.string().filter((text) => text.toLowerCase() !== genuine),
    );
    const others = await Promise.all([
      mintReplyToken(`${key}0`, refAt(now), TO),
      mint(now - 366 * DAY_MS),
      mintReplyToken(key, refAt(now, 4_000_000_000), TO),
      ...["return-path", "unsubscribe", "reply"].map((kind) => mintToken(key, kind, refAt(now))),
    ]);
    const forged = [...others, ...fc.sample(made, FORGED - others.length)];
    const kinds = await Promise.all(forged.map(kindOf));
    expect([kinds.length, ...new Set(kinds)]).toEqual([FORGED, "unknown"]);
    // Two are genuine but of an unknown team or too old; the signature alone refuses the others.
    const read = await Promise.all(forged.map((text) => readReplyToken(key, text)));
    expect(read.filter((one) => one !== undefined)).toHaveLength(2);
  });
});
