// The columns of the list of suppressions.
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { ListColumn } from "../../parts/record-list.tsx";
import { TimeAgo } from "../../parts/time/time-ago.tsx";
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
  { name: "Address", cell: ({ email }) => email, width: "long" },
  {
    name: "Reason",
    cell: (suppression) => (
      <span title={suppression.classification ?? undefined}>
        <Pill tone={TONES[suppression.reason]}>{REASON_NAMES[suppression.reason]}</Pill>{" "}
        {suppression.classification !== null && <small>{suppression.classification}</small>}{" "}
        <LiftingMark suppression={suppression} />
      </span>
    ),
  },
  { name: "Topic", cell: ({ topic }) => topicWords(topic), isSecondary: true },
  { name: "Note", cell: ({ note }) => note ?? "–", isSecondary: true },
  { name: "Since", cell: ({ suppressed_at: at }) => <TimeAgo at={at} />, isNumber: true },
];
