// Decides the actions of a simulated recipient on a delivered copy (docs/simulator.md). Makes the
// same events as a real report or visit: a complaint, an open, a click, or a bounce of a kind that
// arrives only by report.
import type { Settings } from "../../../settings.ts";
import { classify } from "../../../classify/classify.ts";
import type { BounceDetails } from "../../message.ts";
import type { SimulatedEvent } from "../courier.ts";
import { firstLink } from "./first-link.ts";
import type { ReportedClass } from "./simulated-replies.ts";
import type { Simulation } from "./simulation.ts";

const USER_AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
  "Chrome/142.0.0.0 Safari/537.36";
const FEEDBACK_AGENT = "Simulator-FBL/1.0";

/** The text of a late verdict by the recipient's own filter. It names spam as the only reason. */
const SPAM_REPORT = {
  code: 550,
  enhanced: "5.7.0",
  text: "The recipient's mailbox took it for spam",
  stage: null,
} as const;

/**
 * Makes the events. `copy` is the whole message as it was delivered. `now` is in Unix milliseconds.
 */
export async function simulateEvents(
  simulation: Simulation,
  copy: Uint8Array,
  settings: Settings,
  now: number,
): Promise<SimulatedEvent[]> {
  switch (simulation.kind) {
    case "complained":
      return [
        {
          type: "email.complained",
          complaint: { feedbackType: "abuse", userAgent: FEEDBACK_AGENT, reportedAt: now },
        },
      ];
    case "opened":
      return [{ type: "email.opened", tracking: { user_agent: USER_AGENT } }];
    case "clicked":
      return [
        {
          type: "email.clicked",
          tracking: {
            url: (await firstLink(copy, settings)) ?? settings.publicUrl,
            user_agent: USER_AGENT,
          },
        },
      ];
    case "bounced":
      return isReported(simulation.class) ? [toReportedBounce(simulation.class)] : [];
    case "delivered":
    case "delayed":
    case "expired":
    case "suppressed":
    case "replied":
      return [];
  }
}

function isReported(name: string): name is ReportedClass {
  return (
    name === "AutoReply" || name === "SpamRelated" || name === "Subscribe" || name === "Unsubscribe"
  );
}

/**
 * Makes the bounce of a simulated report. Only the refusal of a spam filter has a reply code. The
 * other reports are automatic replies.
 */
function toReportedBounce(name: ReportedClass): SimulatedEvent {
  const { code, enhanced, text } = SPAM_REPORT;
  const bounce: BounceDetails =
    name === "SpamRelated"
      ? {
          type: "permanent",
          classification: classify(SPAM_REPORT),
          smtpCode: code,
          smtpResponse: `${code} ${enhanced} ${text}`,
        }
      : { type: "transient", classification: name, smtpCode: null, smtpResponse: null };
  return { type: "email.bounced", smtpCode: bounce.smtpCode, bounce };
}
