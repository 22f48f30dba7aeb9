// Reads the simulator's addresses (docs/simulator.md): the behaviour that each address asks for,
// and the reply of its mail server. A simulated outcome is settled like any other outcome, so its
// events are ordinary events. Pure.
import { addressDomain } from "../../../lib/address.ts";
import { BOUNCE_CLASSIFICATIONS } from "../../../rpc/event-types.ts";
import type { BounceClass } from "../../../classify/bounce-class.ts";
import type { Outcome } from "../../message.ts";
import { simulatorDomain } from "../../../resources/providers/provider-of.ts";
import { REFUSALS, type SimulatedReply } from "./simulated-replies.ts";

export type Simulation =
  | { readonly kind: "delivered" | "opened" | "clicked" | "complained" | "suppressed" | "expired" }
  /** The first `times` attempts are delayed. Then the copy is delivered. */
  | { readonly kind: "delayed"; readonly times: number }
  | { readonly kind: "bounced"; readonly class: BounceClass }
  /** The reader replies, or a vacation responder does. */
  | { readonly kind: "replied"; readonly isVacation: boolean };

const RECEIPT: SimulatedReply = {
  code: 250,
  enhanced: "2.0.0",
  text: "OK, taken by the simulator",
  stage: "end",
};
const NOT_NOW: SimulatedReply = {
  code: 451,
  enhanced: "4.7.1",
  text: "Greylisted, please try again later",
  stage: "rcpt",
};
const TIMES = /^[1-9]\d{0,2}$/;
/** Number of the last attempt for the behaviour `expired`. The first attempt is delayed. */
const LAST_ATTEMPT = 2;

/**
 * Returns the behaviour that an address asks for. Null means that the address is not one of the
 * simulator's. Text after a `+` has no meaning, unless the behaviour reads it.
 */
export function simulationOf(address: string, serviceDomain: string): Simulation | null {
  const at = address.lastIndexOf("@");
  if (addressDomain(address) !== simulatorDomain(serviceDomain)) return null;
  const [name = "", ...labels] = address.slice(0, at).toLowerCase().split("+");
  switch (name) {
    case "delivered":
    case "opened":
    case "clicked":
    case "complained":
    case "suppressed":
    case "expired":
      return { kind: name };
    case "delayed":
      return { kind: "delayed", times: Number(labels.find((label) => TIMES.test(label)) ?? 1) };
    case "bounced":
      return { kind: "bounced", class: classIn(labels) ?? "InvalidRecipient" };
    case "replies":
      return { kind: "replied", isVacation: labels.includes("vacation") };
    default:
      return { kind: "bounced", class: "InvalidRecipient" };
  }
}

/** Returns the outcome of an attempt. `attempt` is the number of the attempt, from 1. */
export function outcomeOf(simulation: Simulation, attempt: number, serviceDomain: string): Outcome {
  const mxHost = `mx.${simulatorDomain(serviceDomain)}`;
  if (simulation.kind === "expired")
    return { kind: "failure", cause: "connect", detail: "simulated", mxHost };
  return { kind: "reply", ...replyOf(simulation, attempt), mxHost, tls: "TLSv1.3" };
}

/** Returns whether this attempt is the last, although the 72 hours are not over. */
export function isLastAttempt(simulation: Simulation, attempt: number): boolean {
  return simulation.kind === "expired" && attempt >= LAST_ATTEMPT;
}

function replyOf(simulation: Simulation, attempt: number): SimulatedReply {
  if (simulation.kind === "bounced") return REFUSALS[simulation.class] ?? RECEIPT;
  return simulation.kind === "delayed" && attempt <= simulation.times ? NOT_NOW : RECEIPT;
}

function classIn(labels: readonly string[]): BounceClass | undefined {
  return BOUNCE_CLASSIFICATIONS.find((name) => labels.includes(name.toLowerCase()));
}
