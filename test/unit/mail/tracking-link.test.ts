// Tests tracked links (src/mail/tracking-link.ts): a token is valid only on its own host and for
// its own kind, and leads only to the URL that was mailed.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../src/lib/ids.ts";
import { openToken, sealToken } from "../../../src/lib/crypto/signed-token.ts";
import { readTrackingToken, trackingUrl } from "../../../src/mail/tracking-link.ts";

const KEY = "a signing key of more than 32 characters";
const HOST = "links.shop.example";
const REF = {
  teamNumber: 77,
  releaseDay: 19_675,
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
  it("are read back as they were made", async () => {
    expect(await readTrackingToken(KEY, HOST, "c", await tokenOf("c"))).toEqual(REF);
    const open = { ...REF, url: "" };
    expect(await readTrackingToken(KEY, HOST, "o", await tokenOf("o"))).toEqual(open);
  });

  it("are refused on another host, as another kind and under another key", async () => {
    const token = await tokenOf("c");
    for (const host of ["shop.example", "other.example", "", `${HOST}.`])
      expect(await readTrackingToken(KEY, host, "c", token)).toBeUndefined();
    expect(await readTrackingToken(KEY, HOST, "o", token)).toBeUndefined();
    expect(await readTrackingToken(KEY, HOST, "c", await tokenOf("o"))).toBeUndefined();
    expect(await readTrackingToken(`${KEY}!`, HOST, "c", token)).toBeUndefined();
  });

  it("are refused when too short or in another version, even if signed", async () => {
    const token = await tokenOf("c");
    const body = (await openToken(KEY, "click", token, HOST))!;
    expect([...body.subarray(0, 5), ...body.subarray(21, 24)]).toEqual([
      1, 0, 0, 0, 77, 49, 0x4c, 0xdb,
    ]);
    for (const bytes of [new Uint8Array([2, ...body.subarray(1)]), body.subarray(0, 23)]) {
      const sealed = await sealToken(KEY, "click", bytes, HOST);
      expect(await readTrackingToken(KEY, HOST, "c", sealed)).toBeUndefined();
    }
  });
});
