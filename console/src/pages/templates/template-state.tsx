// Shows the state of a template as a pill.
import type { Template } from "../../../../packages/postern/src/generated/types.ts";
import { Pill } from "../../parts/pill.tsx";
import type { Tone } from "../../parts/tone.ts";
import { capitalized } from "../../parts/typography.ts";
import { type StateName, stateOf } from "./template-facts.ts";

const TONES: Readonly<Record<StateName, Tone>> = {
  published: "ok",
  "draft pending": "wait",
  "not published": "mute",
};

export function TemplateState({ template }: { readonly template: Template }) {
  const state = stateOf(template);
  return <Pill tone={TONES[state]}>{capitalized(state)}</Pill>;
}
