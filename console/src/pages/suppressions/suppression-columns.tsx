// The columns of the list of suppressions.
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { ListColumn } from "../../parts/record-list.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { LiftingMark } from "../message/lift-suppression.tsx";
import { topicWords } from "../message/suppression-words.ts";
import { REASON_NAMES } from "./suppression-facts.ts";

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
    cell: (suppression) => (
      <>
        <Pill tone={TONES[suppression.reason]}>{REASON_NAMES[suppression.reason]}</Pill>{" "}
        {suppression.classification !== null && <small>{suppression.classification}</small>}{" "}
        <LiftingMark suppression={suppression} />
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
