// The outcomes of the mail to each provider. Mail to the simulator is left out.
import type { Deliverability } from "../../../../packages/postern/src/generated/types.ts";
import { Panel } from "../../parts/panel.tsx";
import { OutcomeLegend } from "./outcome-chart.tsx";
import { OutcomeRows } from "./outcome-rows.tsx";
import { messagesOf } from "./overview-figures.ts";
import { countsOf } from "./provider-cards.ts";

interface ProviderRowsProps {
  readonly mail: Pick<Deliverability, "providers" | "start">;
}

export function ProviderRows({ mail: { providers, start } }: ProviderRowsProps) {
  const rows = providers
    .map(({ provider, title, current }) => ({
      name: title,
      counts: countsOf(current),
      search: { provider: provider ?? "none", start },
    }))
    .filter(({ counts }) => messagesOf(counts) > 0);
  if (rows.length === 0) return null;
  return (
    <Panel
      title="Mailbox providers"
      note={
        <>
          Simulator mail excluded <OutcomeLegend />
        </>
      }
    >
      <OutcomeRows label="Mailbox providers" of="Provider" rows={rows} />
    </Panel>
  );
}
