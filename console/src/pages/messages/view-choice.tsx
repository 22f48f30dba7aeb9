// The choice of list: messages, single events, or scheduled messages.
import { ViewSwitch } from "../../parts/view-switch.tsx";
import type { MessagesSearch } from "./messages-search.ts";

interface ViewChoiceProps {
  readonly search: MessagesSearch;
  readonly view: MessagesSearch["view"];
  readonly onChoose: (search: MessagesSearch) => void;
}

export function ViewChoice({ search, view, onChoose }: ViewChoiceProps) {
  return (
    <ViewSwitch
      label="View"
      values={[
        ["messages", "Messages"],
        ["events", "Events"],
        ["scheduled", "Scheduled"],
      ]}
      chosen={view ?? "messages"}
      onChoose={(chosen) => {
        const { open: _open, view: _view, event_type: _type, ...others } = search;
        onChoose(chosen === "messages" ? others : { ...others, view: chosen });
      }}
    />
  );
}
