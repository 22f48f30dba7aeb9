// Step: one message was delivered to an address of the simulator (README "The simulator"). The
// message's timeline is printed.
import { randomUUID } from "node:crypto";
import type { Context, Step } from "../setup-context.ts";
import { type StepOutcome, waitingLine } from "../step-outcome.ts";
import { SetupProblem } from "../setup-problem.ts";
import type { SentEmail } from "../operator-client.ts";
import { waitUntil } from "../wait-until.ts";

const WAIT_SECONDS = 60;
const EVERY_MS = 500;

export const message: Step = {
  name: "message",
  plan: (context) => [`send a message to ${addressee(context)}, if no message was delivered yet`],
  async run(context) {
    const { clock, dryRun, teamKey, sendingDomain, kept, api } = context;
    const to = addressee(context);
    const sent =
      kept.message?.id !== undefined && teamKey !== null
        ? await api.email(teamKey, kept.message.id)
        : undefined;
    if (sent && isDelivered(sent)) return outcomeOf("already", sent, to);
    if (dryRun) return { kind: "would", detail: `send a message to ${to}` };
    if (teamKey === null || sendingDomain === null)
      return { kind: "skipped", detail: "needs the team's key and a verified sending domain" };
    const id = sent?.id ?? (await send(context, teamKey, `hello@${sendingDomain}`, to));
    let email = await api.email(teamKey, id);
    if (!(email && isDelivered(email))) {
      const what = `until ${id} is delivered, ${WAIT_SECONDS} s at most`;
      context.terminal.say(waitingLine("message", what));
      email = await waitUntil(
        clock,
        WAIT_SECONDS * 1000,
        EVERY_MS,
        () => api.email(teamKey, id),
        (now) => now !== undefined && isDelivered(now),
      );
    }
    if (email && isDelivered(email)) return outcomeOf("done", email, to);
    throw new SetupProblem(
      `${id} to ${to} is not delivered yet (${email?.recipients[0]?.status ?? "unknown"})`,
      "npm run doctor explains the delay; npx wrangler tail shows the log",
    );
  },
};

function addressee({ settings }: Context): string {
  return `delivered@simulator.${settings["SERVICE_DOMAIN"]}`;
}

/** Saves the idempotency key first, so that a run after a lost answer sends no second message. */
async function send(context: Context, teamKey: string, from: string, to: string): Promise<string> {
  const { kept, file, api } = context;
  const known =
    kept.message?.from === from && kept.message.id === undefined
      ? kept.message.idempotency_key
      : undefined;
  const request = { idempotency_key: known ?? `setup-${randomUUID()}`, from };
  kept.message = request;
  file.save();
  const mail = { from, to: [to], subject: "Hello", text: "It works." };
  const { id } = await api.send(teamKey, request.idempotency_key, mail);
  kept.message = { ...request, id };
  file.save();
  return id;
}

function isDelivered({ recipients }: SentEmail): boolean {
  return recipients.length > 0 && recipients.every(({ status }) => status === "delivered");
}

function outcomeOf(
  kind: "done" | "already",
  { id, recipients }: SentEmail,
  to: string,
): StepOutcome {
  const events = recipients.flatMap((recipient) => recipient.events);
  const notes = events.map(
    ({ occurred_at: at, type, smtp_response: reply }) =>
      `${at}  ${type}${reply === null ? "" : `  ${reply}`}`,
  );
  return { kind, detail: `${id} to ${to}, delivered`, notes };
}
