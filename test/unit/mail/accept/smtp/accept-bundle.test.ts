// Accepts a bundle while the ledger can't be reached. All other cases of a bundle are in
// test/pipeline/smtp/smtp-bundle-delivery.test.ts.
import { expect, it } from "vitest";
import type { Env } from "../../../../../src/env.ts";
import { bundleOf, framed } from "../../../../support/fakes/fake-gateway.ts";
import { makeSender, sendBundle } from "../sender-fixture.ts";

it("a bundle whose ledger can't be reached has 502 for each readable message", async () => {
  const sender = await makeSender();
  const down = () => Promise.reject(new Error("Durable Object reset"));
  const ledger = { admitEach: down, admit: down, begin: down, takeRequest: down };
  const env = { TEAM_LEDGER: { getByName: () => ledger } as unknown as Env["TEAM_LEDGER"] };
  const messages = [
    `From: a@${sender.domain.name}\r\n\r\nHi\r\n`,
    `From: a@${sender.domain.name}\r\n\r\n${"x".repeat(200_000)}\r\n`,
    "nonsense",
  ];
  const bundle = bundleOf([
    ...messages.map((message) => framed(["b@example.org"], message)),
    new Uint8Array(1),
  ]);
  const result = await sendBundle(sender, bundle, { env });
  if (result.kind !== "reply") throw new Error(JSON.stringify(result));
  const { answers } = JSON.parse(result.body) as { answers: { status: number }[] };
  expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 400]);
});
