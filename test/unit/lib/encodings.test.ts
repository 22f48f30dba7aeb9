// Tests base64, base32 and ids (src/lib): encoded data decodes again, and other text is refused.
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { decodeBase32, encodeBase32 } from "../../../src/lib/crypto/base32.ts";
import { decodeBase64, encodeBase64, encodeBase64Url } from "../../../src/lib/crypto/base64.ts";
import { formatUuid, parseUuid, timeOfUuidv7, uuidv7 } from "../../../src/lib/ids.ts";

const bytes = fc.uint8Array({ maxLength: 200 });

describe("base64", () => {
  it("decodes both alphabets, with and without padding and line breaks", () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const expected = new Uint8Array(data);
        expect(decodeBase64(encodeBase64(data))).toEqual(expected);
        expect(decodeBase64(encodeBase64Url(data))).toEqual(expected);
        expect(decodeBase64(encodeBase64(data).replace(/(.{5})/g, "$1\r\n"))).toEqual(expected);
      }),
    );
  });

  const refused =
    "A|AAAAA|A=|A===|AA=A|AAA==|=|====|AA*A|AA AA|AA\tAA| AAAA|this is no base64|ä|AAAA\0";

  it.each(refused.split("|"))("refuses %j", (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});

describe("base32", () => {
  it("decodes its own output in any case", () => {
    fc.assert(
      fc.property(bytes, (data) => {
        expect(decodeBase32(encodeBase32(data))).toEqual(new Uint8Array(data));
        expect(decodeBase32(encodeBase32(data).toUpperCase())).toEqual(new Uint8Array(data));
      }),
    );
  });

  it.each(["1", "a0", "ab!", "b", "a", "aaa", "aaaaaa", `${"a".repeat(61)}a`])(
    "refuses %j",
    (text) => {
      expect(decodeBase32(text)).toBeUndefined();
    },
  );
});

describe("uuid version 7", () => {
  it("contains its time, version and variant, and sorts by time", () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(time, time, (one, other) => {
        const [first, second] = [uuidv7(one), uuidv7(other)];
        expect(timeOfUuidv7(first)).toBe(one);
        expect(first).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        if (one < other) expect(first < second).toBe(true);
      }),
    );
  });

  it("is new each time, even in large numbers", () => {
    const ids = Array.from({ length: 1_000 }, () => uuidv7(1_700_000_000_000));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("converts to bytes and back", () => {
    const uuid = uuidv7(1_700_000_000_000);
    expect(formatUuid(parseUuid(uuid) ?? new Uint8Array())).toBe(uuid);
    expect(parseUuid("not-a-uuid")).toBeUndefined();
  });
});
