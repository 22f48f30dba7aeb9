// Tests copies of submitted messages with the header sections of real programs
// (test/fixtures/headers): the copies are in ASCII, have lines that SMTP can carry and a valid
// signature, and nodemailer's address parser finds the same single sender. Runs in Node, because
// that parser needs Node.
import { Buffer } from "node:buffer";
import addressparser from "nodemailer/lib/addressparser";
import { describe, expect, it } from "vitest";
import { composeRaw, prepareRaw } from "../../src/mail/compose/raw.ts";
import { SECTIONS } from "../unit/mail/accept/smtp/header-sections.ts";
import { octets, acceptMessage } from "../unit/mail/accept/smtp/submissions.ts";
import { signingKey, verified } from "../unit/mail/compose/fixtures.ts";

const TAKEN = SECTIONS.filter(({ result }) => result.kind === "taken");

describe("a copy of a submitted message", () => {
  it.each(TAKEN.map(({ name, message }) => [name, message] as const))(
    "is corrected before it is signed: %s",
    async (_, message) => {
      const { dkim, publicKey } = await signingKey();
      const { message: stored, content } = acceptMessage(message);
      const copy = await composeRaw({
        message: stored,
        prepared: await prepareRaw(octets(content)),
        recipientIndex: 0,
        dkim,
      });
      const [header = ""] = Buffer.from(copy).toString("latin1").split("\r\n\r\n");
      expect(header).toMatch(/^[\0-\x7f]*$/);
      expect(Math.max(...header.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(
        998,
      );
      const [, from = ""] = /^From:((?:.*\r\n[ \t])*.*)$/im.exec(header) ?? [];
      const senders = addressparser(from.replaceAll("\r\n", ""), { flatten: true }).map(
        ({ address }) => address.toLowerCase(),
      );
      expect(senders).toEqual([stored.from.email.toLowerCase()]);
      expect(await verified(copy, publicKey)).toBeInstanceOf(Map);
    },
  );
});
