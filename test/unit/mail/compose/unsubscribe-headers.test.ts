// Tests List-Unsubscribe (src/mail/compose/unsubscribe-headers.ts): the caller's own entries are
// kept and repaired, and the service's link is added only where the caller gives none.
import { describe, expect, it } from "vitest";
import {
  listUnsubscribeTargets,
  withListUnsubscribe,
} from "../../../../src/mail/compose/unsubscribe-headers.ts";
import { pairsOf } from "../../fixture-rows.ts";

const OWN = "https://postern.example/u/token";
const repairOf = (value: string) =>
  withListUnsubscribe([["List-Unsubscribe", value]], null).map(([, repaired]) => repaired);
const POST = ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"] as const;

describe("a caller's List-Unsubscribe", () => {
  it.each(
    (
      "<https://shop.example/u?a=1&b=2>|<mailto:leave@shop.example?subject=unsubscribe>|" +
      "<mailto:leave@shop.example>, <https://shop.example/u>|" +
      "<https://shop.example/u>,<mailto:leave@shop.example>|" +
      "<HTTPS://shop.example/a,b;c>|<ftp://shop.example/leave.txt>"
    ).split("|"),
  )("that is valid stays as it is: %s", (value) => {
    expect(repairOf(value)).toEqual([value]);
  });

  it.each(pairsOf("composed-headers", "List-Unsubscribe that is repaired"))(
    "that can be repaired is repaired: %s",
    (given, valid) => {
      expect(repairOf(given)).toEqual([valid]);
      expect(repairOf(valid)).toEqual([valid]);
    },
  );

  it.each(["", "NO", "unsubscribe", "<>", "www.shop.example/u", "(", "@", "a@"])(
    "that no program can read is left out: %j",
    (value) => {
      const other = ["X-A", "1"] as const;
      expect(withListUnsubscribe([["List-Unsubscribe", value], other], null)).toEqual([other]);
      const repaired = withListUnsubscribe([["list-unsubscribe", value], other], OWN);
      expect(repaired).toEqual([["list-unsubscribe", `<${OWN}>`], other, POST]);
    },
  );
});

describe("a copy's headers", () => {
  it("get the recipient's link and announce one-click if the message asks for a link", () => {
    expect(withListUnsubscribe([["X-A", "1"]], OWN)).toEqual([
      ["X-A", "1"],
      ["List-Unsubscribe", `<${OWN}>`],
      POST,
    ]);
  });

  it("have no unsubscribe fields if neither the caller nor the message asks for any", () => {
    expect(withListUnsubscribe([["X-A", "1"]], null)).toEqual([["X-A", "1"]]);
  });

  it("keep the caller's own link in its place and get no second one", () => {
    const other = ["X-A", "1"] as const;
    const headers = [["List-Unsubscribe", "https://shop.example/u"], other] as const;
    const kept = [["List-Unsubscribe", "<https://shop.example/u>"], other];
    expect(withListUnsubscribe(headers, OWN)).toEqual(kept);
    expect(withListUnsubscribe(headers, null)).toEqual(kept);
  });

  it("keep the caller's List-Unsubscribe-Post only with an https link, as one-click", () => {
    const post = ["list-unsubscribe-post", " list-unsubscribe = one-click;"] as const;
    const secure = ["list-unsubscribe", "leave@shop.example, https://shop.example/u"] as const;
    expect(withListUnsubscribe([post, secure], null)).toEqual([
      ["list-unsubscribe-post", "List-Unsubscribe=One-Click"],
      ["list-unsubscribe", "<mailto:leave@shop.example>, <https://shop.example/u>"],
    ]);
    for (const value of ["<mailto:leave@shop.example>", "<http://shop.example/u>"]) {
      const field = ["List-Unsubscribe", value] as const;
      expect(withListUnsubscribe([post, field], null)).toEqual([field]);
    }
    expect(withListUnsubscribe([post, ["List-Unsubscribe", "NO"]], null)).toEqual([]);
    expect(withListUnsubscribe([post], null)).toEqual([]);
    expect(withListUnsubscribe([post], OWN)).toEqual([
      [post[0], POST[1]],
      ["List-Unsubscribe", `<${OWN}>`],
    ]);
  });

  it.each([
    ["leave@shop.example", "<mailto:leave@shop.example>"],
    [
      "<mailto:leave@shop.example?subject=stop>,<mailto:b@shop.example>",
      "<mailto:leave@shop.example?subject=stop>, <mailto:b@shop.example>",
    ],
    ["<http://shop.example/u>", "<http://shop.example/u>"],
    [`<${OWN}>, <mailto:leave@shop.example>`, "<mailto:leave@shop.example>"],
  ])(
    "put the generated link before a caller's %s, which takes no one-click posts, and announce one-click",
    (value, repaired) => {
      const field = ["List-Unsubscribe", `<${OWN}>, ${repaired}`];
      expect(withListUnsubscribe([["List-Unsubscribe", value]], OWN)).toEqual([field, POST]);
      const post = ["List-Unsubscribe-Post", "x"] as const;
      const behind = withListUnsubscribe([post, ["List-Unsubscribe", value]], OWN);
      expect(behind).toEqual([POST, field]);
    },
  );

  it("keep a caller's https link with all other entries, and announce no one-click for it", () => {
    const both = "<mailto:leave@shop.example>,<HTTPS://shop.example/u>";
    for (const value of ["<https://shop.example/u>", both]) {
      const headers = [["List-Unsubscribe", value]] as const;
      expect(withListUnsubscribe(headers, OWN)).toEqual(headers);
    }
  });

  it("announce one-click for the generated link when the caller itself wrote it", () => {
    expect(withListUnsubscribe([["List-Unsubscribe", `<${OWN}>`]], OWN)).toEqual([
      ["List-Unsubscribe", `<${OWN}>`],
      POST,
    ]);
  });

  it("occur once each, with all of the caller's entries", () => {
    const given = [
      ["List-Unsubscribe", "<mailto:a@shop.example>"],
      POST,
      ["list-unsubscribe", "<https://shop.example/u>"],
      POST,
    ] as const;
    expect(withListUnsubscribe(given, OWN)).toEqual([
      ["List-Unsubscribe", "<mailto:a@shop.example>, <https://shop.example/u>"],
      POST,
    ]);
  });

  it("give the targets of the unsubscribe links", () => {
    const both = [["list-unsubscribe", "https://shop.example/u, a@b.example"]] as const;
    expect(listUnsubscribeTargets(both)).toEqual(["https://shop.example/u", "mailto:a@b.example"]);
    expect(listUnsubscribeTargets([["X-A", "<https://shop.example/u>"]])).toEqual([]);
  });
});
