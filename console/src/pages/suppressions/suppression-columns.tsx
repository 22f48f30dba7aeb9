// The columns of the list of suppressions.
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { ListColumn } from "../../parts/record-list.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { REASON_NAMES, topicWords } from "./suppression-facts.ts";

const TONES: Readonly<Record<Suppression["reason"], Tone>> = {
  permanent_bounce: "bad",
  complaint: "spam",
  unsubscribed: "mute",
  manual: "mute",
};

export const SUPPRESSION_COLUMNS: readonly ListColumn<Suppression>[] = [
  { name: "Address", cell: ({ email }) => email },
  {
    name: "Reason",
    cell: ({ reason, classification }) => (
      <>
        <Pill tone={TONES[reason]}>{REASON_NAMES[reason]}</Pill>{" "}
        {classification !== null && <small>{classification}</small>}
      </>
    ),
  },
  { name: "For", cell: ({ topic }) => <Clipped text={topicWords(topic)} />, isSecondary: true },
  { name: "Since", cell: ({ suppressed_at: at }) => <TimeAgo at={at} />, isSecondary: true },
  {
    name: "Until",
    cell: ({ expires_at: at }) => (at === null ? "lifted" : <TimeAgo at={at} />),
    isSecondary: true,
  },
  { name: "Note", cell: ({ note }) => <Clipped text={note} />, isSecondary: true },
];

/** A text that may be long: whole in the opened row, and under the pointer. */
function Clipped({ text }: { readonly text: string | null }) {
  return text === null ? (
    "–"
  ) : (
    <span className="clipped" title={text}>
      {text}
    </span>
  );
}
