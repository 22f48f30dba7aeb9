// The timeline of a message: each step with its time, the SMTP command and the server's reply.
import { Time } from "../../parts/time/time-ago.tsx";
import { toneOf } from "../../parts/tone.ts";
import type { Part } from "./phrase.ts";
import type { TimelineStep } from "./timeline-steps.ts";

export function MessageLine({ steps }: { readonly steps: readonly TimelineStep[] }) {
  return (
    <ol className="line">
      {steps.map((step) => (
        <li key={step.id} className={`step ${toneOf(step.status)}`}>
          <span className="t">
            <Time at={step.at} format={() => step.time} />
          </span>
          <b>{step.title}</b>
          {step.note && ` · ${step.note}`}
          {step.text.length > 0 && <p>{step.text.map(shownPart)}</p>}
          {step.said && (
            <div className="said">
              {step.said.command !== null && <span>{step.said.command} → </span>}
              {step.said.words}
            </div>
          )}
          {step.chips && step.chips.length > 0 && (
            <div className="chips">
              {step.chips.map(([name, value]) => (
                <span key={name} className="chip">
                  {name} <b>{value}</b>
                </span>
              ))}
            </div>
          )}
          {step.classified && (
            <details className="classified">
              <summary>Classification</summary>
              <code>{step.classified.name}</code>
              {step.classified.rule !== null && (
                <>
                  {" "}
                  matched by the rule <code>{step.classified.rule}</code>
                </>
              )}
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Shows a part of a sentence. The parts never change their order. */
function shownPart(part: Part, index: number) {
  return typeof part === "string" ? part : <code key={index}>{part.code}</code>;
}
