// The destinations in the gateway's metrics: the most used by name, and all others as one, so that
// the number of series is bounded. Pure.
import type { GatewayGauges } from "../gateway-metrics.ts";
import type { DestinationState } from "./destination.ts";

const NAMED = 20;
const OTHERS = "other";

export function destinationGauges(states: readonly DestinationState[]): GatewayGauges {
  const byUse = states.toSorted(
    (a, b) => b.open + b.waiting - (a.open + a.waiting) || b.refused - a.refused,
  );
  const rest = byUse.slice(NAMED);
  const labels = ({ name, pool }: DestinationState): [string, string] => [name, pool];
  const samples = (figure: "open" | "waiting" | "refused"): [readonly string[], number][] => {
    const named = byUse
      .slice(0, NAMED)
      .map((state): [readonly string[], number] => [labels(state), state[figure]]);
    const others = rest.reduce((sum, state) => sum + state[figure], 0);
    return rest.length === 0 ? named : [...named, [[OTHERS, OTHERS], others]];
  };
  return {
    postern_gateway_destination_connections: samples("open"),
    postern_gateway_destination_waiting_messages: samples("waiting"),
    postern_gateway_destination_refusals: samples("refused"),
    postern_gateway_destination_concurrency: byUse
      .slice(0, NAMED)
      .map((state) => [[...labels(state), state.why], state.concurrency]),
  };
}
