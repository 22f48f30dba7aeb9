// A status as a coloured dot and a word. The word is enough without the colour.
import type { ReactNode } from "react";
import { type Tone, toneOf } from "./tone.ts";
import { capitalized } from "./typography.ts";

export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`pill ${tone}`}>{children}</span>;
}

/** Shows a status of the API in sentence case. */
export function Status({ of }: { readonly of: string }) {
  const word = of.replace(/^email\./, "").replaceAll("_", " ");
  return <Pill tone={toneOf(of)}>{capitalized(word)}</Pill>;
}
