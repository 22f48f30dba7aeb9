// Tests mail to a return-path that has no effect (contract.md §Bounce reports): replies, reports of
// delays, foreign tokens, and reports about unknown messages.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../src/lib/ids.ts";
import { suppressionsOf as listOf } from "../../src/db/client.ts";
import { findActiveSuppressions } from "../../src/resources/suppressions/automatic-suppressions.ts";
import { teamFor } from "../../src/resources/team-settings/team-cache.ts";
import { bindings, makeTeam, operator } from "../support/api.ts";
import { someone, Harness } from "../support/harness.ts";
import { report, reportAbout, ReturnedMail } from "./returned-mail.ts";
import { ofEachTest } from "../support/before-tests.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const BOUNCED = "email.bounced";

const harness = ofEachTest(Harness.make);
const mail = new ReturnedMail(harness);

describe("nothing comes of", () => {
  it("a token that is forged, or another message's", async () => {
    const to = someone();
    const { id, tokens } = await mail.send(to);
    const text = reportAbout("exim", to);
    const [token = ""] = tokens;
    const forged = token.replace(/^./, (first) => (first === "a" ? "b" : "a"));
    expect(await report(forged, text)).toBe(404);
    const other = await mail.send(someone());
    expect(await report(other.tokens[0] ?? "", text)).toBe(202);
    for (const one of [id, other.id]) expect(await mail.eventsOf(one, BOUNCED)).toEqual([]);
    expect(await harness.suppressionsOf(to)).toEqual([]);
  });

  it("a recipient that the message never had", async () => {
    const to = someone();
    const { id } = await mail.send(to);
    expect(
      await report(await mail.mintToken(id, { recipientIndex: 9 }), reportAbout("exim", to)),
    ).toBe(202);
    expect(await mail.eventsOf(id, BOUNCED)).toEqual([]);
  });

  it("a message that is found nowhere, or that another team has", async () => {
    const to = someone();
    const { id } = await mail.send(to);
    const text = reportAbout("exim", to);
    for (const unknown of [newEmailId(Date.now()), newEmailId(Date.now() - 20 * DAY_MS)])
      expect(await report(await mail.mintToken(unknown), text)).toBe(202);
    expect(await report(await mail.mintToken(id, { of: await makeTeam() }), text)).toBe(202);
    expect(await harness.events(`event_type=${BOUNCED}`)).toEqual([]);
    expect(await harness.suppressionsOf(to)).toEqual([]);
  });

  it("a team that was deleted", async () => {
    const to = someone();
    const { tokens } = await mail.send(to);
    const gone = await teamFor(bindings, harness.id, Date.now());
    expect((await operator.delete(`/admin/teams/${harness.id}`)).status).toBe(204);
    expect(await report(tokens[0] ?? "", reportAbout("exim", to))).toBe(202);
    expect((await findActiveSuppressions(listOf(bindings, gone!), [to], Date.now())).size).toBe(0);
  });
});
