// Tests sends to addresses beyond ASCII through the whole service, over HTTP and SMTP. They are
// mailed, recorded and unsubscribed in one normal form.
import { beforeEach, expect, it } from "vitest";
import { unsubscribeByOneClick } from "../support/recipient.ts";
import { Harness, kindsOf } from "../support/harness.ts";
import { sendWithLink } from "./unsubscribe-sends.ts";
import { ofEachTest } from "../support/before-tests.ts";

const harness = ofEachTest(Harness.make);
/** The address as it is mailed, with its domain in ASCII. */
let user: string;

beforeEach(() => {
  user = `Jörg-用户-${crypto.randomUUID().slice(0, 8)}@xn--bcher-kva.example`;
});

const utf8 = (octets: string): string =>
  new TextDecoder().decode(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)));

it.each<[string, (to: string) => Promise<string>]>([
  ["HTTP", (to) => harness.send({ to: [to], text: "x" })],
  [
    "SMTP",
    (to) =>
      harness.submit(
        [to],
        `From: hello@${harness.domain}\r\nTo: ${to}\r\nSubject: Hi\r\n\r\nx\r\n`,
      ),
  ],
])(
  "an address beyond ASCII is mailed over %s in normal form, from an ASCII return-path",
  async (_, send) => {
    const typed = user.replace("ö", "o\u0308").replace("xn--bcher-kva", "Bücher");
    const events = await harness.history(await send(typed), 2);
    expect(kindsOf(events)).toBe("sent delivered");
    expect(events.map(({ recipient }) => recipient)).toEqual([user, user]);
    const [copy] = harness.egress.to(user);
    expect(copy?.mail_from).toMatch(/^b\+[a-z2-7]{61}@[ -~]+$/);
    expect(utf8(copy?.message ?? "")).toMatch(/^To: J.*rg-用户/m);
    expect(
      await harness.events(`recipient=${encodeURIComponent(user.toUpperCase())}`),
    ).toHaveLength(2);
  },
);

it("an unsubscribe link for an address beyond ASCII suppresses that address", async () => {
  const { id, link } = await sendWithLink(harness, user);
  expect((await unsubscribeByOneClick(link)).status).toBe(200);
  expect(kindsOf(await harness.history(id, 3))).toBe("sent delivered unsubscribed");
  expect(await harness.suppressionsOf(user)).toMatchObject([
    { topic: "news", reason: "unsubscribed" },
  ]);
});
