// Tracked links (src/mail/tracking-link.ts): a token is good on its own host, for its own use, and leads nowhere but to what was mailed.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../src/lib/ids.ts";
import { readTrackingToken, trackingUrl } from "../../../src/mail/tracking-link.ts";

const KEY = "a signing key of more than 32 characters";
const HOST = "links.shop.example";
const REF = {
  teamId: "team_6f1c2f7e-9d5a-4c1b-8f3e-0123456789ab",
  emailId: newEmailId(1_700_000_000_000),
  recipientIndex: 49,
  url: "https://shop.example/offer?id=1&name=Zoë#top",
};

async function tokenOf(kind: "c" | "o"): Promise<string> {
  const url = await trackingUrl(KEY, HOST, kind, kind === "c" ? REF : { ...REF, url: "" });
  expect(url).toMatch(new RegExp(`^https://links\\.shop\\.example/${kind}/[A-Za-z0-9_-]+$`));
  return url.slice(`https://${HOST}/c/`.length);
}

describe("tracked links", () => {
  it("come back as what they stand for", async () => {
    expect(await readTrackingToken(KEY, HOST, "c", await tokenOf("c"))).toEqual(REF);
    expect(await readTrackingToken(KEY, HOST, "o", await tokenOf("o"))).toEqual({ ...REF, url: "" });
  });

  it("are nothing on another host, as another kind, or under another key", async () => {
    const token = await tokenOf("c");
    for (const host of ["shop.example", "other.example", "", `${HOST}.`])
      expect(await readTrackingToken(KEY, host, "c", token)).toBeUndefined();
    expect(await readTrackingToken(KEY, HOST, "o", token)).toBeUndefined();
    expect(await readTrackingToken(KEY, HOST, "c", await tokenOf("o"))).toBeUndefined();
    expect(await readTrackingToken(`${KEY}!`, HOST, "c", token)).toBeUndefined();
  });

  it("are refused with any character changed", async () => {
    const token = await tokenOf("c");
    for (let index = 0; index < token.length; index += 1) {
      const changed = token.slice(0, index) + (token[index] === "A" ? "B" : "A") + token.slice(index + 1);
      expect(await readTrackingToken(KEY, HOST, "c", changed)).toBeUndefined();
    }
  });
});
