// Tests how a send's sender, recipients and reply addresses are validated: which are refused, and
// how the others are stored.
import { describe, expect, it } from "vitest";
import { accept, expectRefused, times } from "./validated-sends.ts";

const people = (count: number) => times(count, (index) => `p${index}@example.org`);

describe("validateEmail refuses", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["no from", { from: undefined }, "422 from"],
    ["a from that is null", { from: null }, "422 from"],
    ["a from that is a number", { from: 5 }, "422 from"],
    ["an empty from", { from: "" }, "400 from"],
    ["a from that is no address", { from: "shop" }, "400 from"],
    ["two senders", { from: "a@example.com, b@example.com" }, "400 from"],
    ["a header injected into from", { from: "shop@example.com\r\nBcc: x@example.org" }, "400 from"],
    ["an unquoted address as a name", { from: "boss@bank.example <shop@example.com>" }, "400 from"],
    ["two in one reply_to", { reply_to: ["a@b.example, Shop <s@c.example>"] }, "400 reply_to.0"],
    ["two recipients in one entry", { to: ["ann@example.org, Bob <bob@example.org>"] }, "400 to.0"],
    ["an injected address", { from: "Shop <x@example.org>\r\n, <shop@example.com>" }, "400 from"],
    ["NUL in from", { from: "shop\u0000@example.com" }, "400 from"],
    ["a from without a public host", { from: "shop@localhost" }, "400 from"],
    ["a from at an IP address", { from: "shop@[192.0.2.1]" }, "400 from"],
    ["no to", { to: undefined }, "422 to"],
    ["a to that is a string", { to: "ann@example.org" }, "422 to"],
    ["a to that is null", { to: null }, "422 to"],
    ["an empty to", { to: [] }, "422 to"],
    ["an empty to beside a cc", { to: [], cc: ["ann@example.org"] }, "422 to"],
    ["entries of other kinds", { to: ["a@b.de", 7, null, ["b@c.de"]] }, "422 to.1, to.2, to.3"],
    ["an invalid address in to", { to: ["ann@example.org", "bob"] }, "400 to.1"],
    ["a line break in to", { to: ["ann@example.org\r\nBcc: bob@example.org"] }, "400 to.0"],
    ["an invalid address in cc", { cc: ["Bob <bob>"] }, "400 cc.0"],
    ["an invalid address in bcc", { bcc: ["bob@example.org", "<>"] }, "400 bcc.1"],
    ["a cc that is a string", { cc: "bob@example.org" }, "422 cc"],
    ["a bcc that is an object", { bcc: { 0: "bob@example.org" } }, "422 bcc"],
    ["51 recipients in to", { to: people(51) }, "400 to"],
    ["51 recipients in all", { to: people(17), cc: people(17), bcc: people(17) }, "400 to"],
    [
      "every recipient rejected",
      { to: ["ann@localhost", "bob@[192.0.2.1]"], cc: ["eve@192.0.2.1"] },
      "400 cc.0, to, to.0, to.1",
    ],
    ["a space outside ASCII", { to: ["a\u3000nn@example.org"] }, "400 to.0"],
    ["an invisible character in a domain", { to: ["ann@exam\u200bple.org"] }, "400 to.0"],
    ["a byte order mark before from", { from: "\ufeffshop@example.com" }, "400 from"],
    ["a joiner between Latin letters", { reply_to: ["a\u200dnn@example.org"] }, "400 reply_to.0"],
    ["an invalid reply_to", { reply_to: "nobody" }, "400 reply_to"],
    ["an invalid entry of reply_to", { reply_to: ["ann@example.org", "nobody"] }, "400 reply_to.1"],
    ["a reply_to without a public host", { reply_to: ["ann@localhost"] }, "400 reply_to.0"],
    ["a reply_to that is a number", { reply_to: 5 }, "422 reply_to"],
    ["a number in reply_to", { reply_to: [5] }, "422 reply_to.0"],
    ["11 entries in reply_to", { reply_to: people(11) }, "400 reply_to"],
  ])("%s", (_, change, refusal) => {
    expectRefused(change, refusal);
  });
});

describe("validateEmail accepts", () => {
  it("a reply_to that is one string", () => {
    expect(accept({ reply_to: "Help <help@example.com>" }).replyTo).toEqual([
      { email: "help@example.com", name: "Help" },
    ]);
  });

  it("repeated addresses: once in the envelope, as given in the headers", () => {
    const email = accept({
      to: ["Ann@example.org", "ann@EXAMPLE.org"],
      cc: ["ANN@example.org"],
      bcc: ["bob@example.org", "bob@example.org"],
    });
    expect(email.envelope).toEqual(["Ann@example.org", "bob@example.org"]);
    expect(email.to.map(({ email: address }) => address)).toEqual([
      "Ann@example.org",
      "ann@example.org",
    ]);
  });

  it("recipients of whom some can't be mailed, which stay only in the envelope", () => {
    const others = { cc: ["eve@[192.0.2.1]"], bcc: ["zoe@xn--a.com"] };
    const email = accept({ to: ["ann@localhost", "bob@example.org"], ...others });
    const envelope = ["ann@localhost", "bob@example.org", "eve@[192.0.2.1]", "zoe@xn--a.com"];
    expect(email).toMatchObject({ to: [{ email: "bob@example.org" }], cc: [], envelope });
    expect(accept({ to: ["ann@localhost"], bcc: ["bob@example.org"] })).toMatchObject({
      to: [],
      envelope: ["ann@localhost", "bob@example.org"],
    });
  });

  it("line breaks in mailboxes and subject, and removes them", () => {
    const email = accept({
      from: "Shop\r\n <shop@exam\r\nple.com>",
      to: ["Bob (Sales)\r\n <bob@exam\r\nple.org>"],
      reply_to: ['"Help\r\n <help@example.com>', "Desk; Help <desk@example.com>"],
      subject: "Hel\r\nlo\u0000\tAnn\r\n",
    });
    expect(email.from).toMatchObject({ email: "shop@example.com", name: "Shop" });
    expect(email.to).toEqual([{ email: "bob@example.org", name: "Bob (Sales)" }]);
    expect(email.replyTo?.map(({ name }) => name)).toEqual(["Help", "Desk; Help"]);
    expect(email.subject).toBe("Hello Ann");
  });

  it("a header injected into from by a line break, as part of the display name", () => {
    for (const [from, name] of [
      ["Shop\r\nBcc: x@example.org <shop@example.com>", "ShopBcc: x@example.org"],
      ["\nSubject: a\\\rb, c <shop@example.com>", "Subject: a\\b, c"],
      ["\r\n<shop@example.com>\r\n", null],
    ] as const) {
      expect(accept({ from }).from).toMatchObject({ email: "shop@example.com", name });
    }
  });
});
