// The courier of the simulator's addresses (README.md §The simulator) takes every parcel and sends
// none. It asks no DNS and no gateway, so nothing leaves the service.
import type { Courier, OutboundCopy, SimulatedFeedback } from "../couriers/courier.ts";
import { aftermathOf } from "./simulated-feedback.ts";
import type { Settings } from "../../../settings.ts";
import { isLastAttempt, outcomeOf, type Simulation, simulationOf } from "./simulation.ts";

/** Between the two attempts of an address whose 72 hours are over by the second. */
const EXPIRY_WAIT_MS = 1_000;

/** Takes parcels to the simulator's addresses alone. */
export function simulatorCourier(settings: Settings): Courier {
  return async (parcels, onOutcome) => {
    for await (const parcel of parcels) {
      const simulation = simulationOf(parcel.rcptTo, settings.serviceDomain);
      if (!simulation) continue;
      const attempt = attemptOf(parcel);
      onOutcome(
        parcel.key,
        outcomeOf(simulation, attempt, settings.serviceDomain),
        await sequelOf(simulation, attempt, parcel, settings),
      );
    }
  };
}

async function sequelOf(
  simulation: Simulation,
  attempt: number,
  { bytes }: OutboundCopy,
  settings: Settings,
): Promise<SimulatedFeedback> {
  const now = Date.now();
  const aftermath = await aftermathOf(simulation, bytes, settings, now);
  if (simulation.kind !== "expired") return { aftermath };
  return {
    aftermath,
    nextAttemptAt: isLastAttempt(simulation, attempt)
      ? null
      : now + EXPIRY_WAIT_MS / settings.retrySpeedup,
  };
}

function attemptOf({ key }: OutboundCopy): number {
  return Number(key.slice(key.lastIndexOf("/") + 1));
}
