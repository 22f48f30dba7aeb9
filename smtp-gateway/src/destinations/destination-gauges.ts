// Chooses the destinations that the metrics and GET /watch show by name: those with the most
// connections and waiting messages. The metrics show the sum of all other destinations under one
// name, so that the number of time series is bounded. Pure.
import type { GatewayGauges } from "../gateway-metrics.ts";
import type { DestinationState } from "./destination.ts";

const NAMED = 20;
const OTHERS = "other";

/** Returns the destinations that are shown by name, the most used first. */
export function mostUsed(states: readonly DestinationState[]): DestinationState[] {
  return states
    .toSorted((a, b) => b.open + b.waiting - (a.open + a.waiting) || b.refused - a.refused)
    .slice(0, NAMED);
}

export function destinationGauges(states: readonly DestinationState[]): GatewayGauges {
  const shown = mostUsed(states);
  const rest = states.filter((state) => !shown.includes(state));
  const labels = ({ name, pool }: DestinationState): [string, string] => [name, pool];
  const samples = (figure: "open" | "waiting" | "refused"): [readonly string[], number][] => {
    const named = shown.map((state): [readonly string[], number] => [labels(state), state[figure]]);
    const others = rest.reduce((sum, state) => sum + state[figure], 0);
    return rest.length === 0 ? named : [...named, [[OTHERS, OTHERS], others]];
  };
  return {
    postern_gateway_destination_connections: samples("open"),
    postern_gateway_destination_waiting_messages: samples("waiting"),
    postern_gateway_destination_refusals: samples("refused"),
    postern_gateway_destination_concurrency: shown.map((state) => [
      [...labels(state), state.why],
      state.concurrency,
    ]),
  };
}
