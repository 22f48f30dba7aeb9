// The courier of the simulator's addresses (docs/simulator.md). It takes every copy and sends none.
// It uses neither DNS nor a gateway, so no data leaves the service.
import type { Settings } from "../../../settings.ts";
import type { Courier, OutboundCopy, SimulatedFeedback } from "../courier.ts";
import { logError } from "../../../lib/log.ts";
import { type ReaderMail, writeReaderMail } from "./simulated-reader.ts";
import { simulateEvents } from "./simulated-feedback.ts";
import { isLastAttempt, outcomeOf, type Simulation, simulationOf } from "./simulation.ts";

/** Time between the first and the second (last) attempt for the behaviour `expired`. */
const EXPIRY_WAIT_MS = 1_000;

/** Receives the reply of a simulated reader, as if a mail server had delivered it. */
export type TakeReaderMail = (answer: ReaderMail) => Promise<unknown>;

/** Takes only copies to the simulator's addresses. A copy to another address gets no outcome. */
export function simulatorCourier(
  settings: Settings,
  takeReaderMail: TakeReaderMail | null = null,
): Courier {
  return async (copies, onOutcome) => {
    for await (const copy of copies) {
      const simulation = simulationOf(copy.rcptTo, settings.serviceDomain);
      if (!simulation) continue;
      const attempt = attemptOf(copy);
      onOutcome(
        copy.key,
        outcomeOf(simulation, attempt, settings.serviceDomain),
        await feedbackOf(simulation, attempt, copy, settings),
      );
      if (simulation.kind === "replied" && takeReaderMail)
        await answer(copy, simulation.isVacation, takeReaderMail);
    }
  };
}

/**
 * Makes the reader reply. A reply that can't be received is lost, because no mail server would send
 * it again.
 */
async function answer(
  { bytes, rcptTo }: OutboundCopy,
  isVacation: boolean,
  takeReaderMail: TakeReaderMail,
): Promise<void> {
  const written = writeReaderMail(bytes, rcptTo, isVacation, Date.now());
  if (!written) return;
  await takeReaderMail(written).catch((error: unknown) => logError("simulated_reply_lost", error));
}

async function feedbackOf(
  simulation: Simulation,
  attempt: number,
  { bytes }: OutboundCopy,
  settings: Settings,
): Promise<SimulatedFeedback> {
  const now = Date.now();
  const events = await simulateEvents(simulation, bytes, settings, now);
  if (simulation.kind !== "expired") return { events };
  return {
    events,
    nextAttemptAt: isLastAttempt(simulation, attempt)
      ? null
      : now + EXPIRY_WAIT_MS / settings.retrySpeedup,
  };
}

function attemptOf({ key }: OutboundCopy): number {
  return Number(key.slice(key.lastIndexOf("/") + 1));
}
