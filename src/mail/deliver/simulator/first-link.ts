// Finds the link that a simulated reader clicks: the first web link in the HTML of the delivered
// copy. If that link is tracked, returns the link's target.
import { runInSteps } from "../../../lib/step-scheduler.ts";
import { decodeBody } from "../../../lib/mime/part-body.ts";
import { leavesOf } from "../../../lib/mime/parts.ts";
import { surveyHtml } from "../../compose/html-survey.ts";
import { trackableUrl } from "../../compose/track.ts";
import { readTrackingToken } from "../../tracking-link.ts";
import type { Settings } from "../../../settings.ts";
import { isUnsubscribeUrl } from "../../unsubscribe-link.ts";

const TRACKED = /^https:\/\/([^/]+)\/c\/([^/?#]+)$/;

/**
 * Returns the absolute URL. Undefined means that the copy has no HTML, or that its HTML has no link
 * to follow.
 */
export async function firstLink(
  copy: Uint8Array,
  { signingKey, publicUrl }: Settings,
): Promise<string | undefined> {
  const html = await htmlOf(copy);
  const { hrefs } = await runInSteps(surveyHtml(html));
  for (const { start, end } of hrefs) {
    const url = trackableUrl(html.slice(start, end), (target) =>
      isUnsubscribeUrl(publicUrl, target),
    );
    if (url === undefined) continue;
    const [, host = "", tracked] = TRACKED.exec(url) ?? [];
    return tracked === undefined
      ? url
      : ((await readTrackingToken(signingKey, host, "c", tracked))?.url ?? url);
  }
  return undefined;
}

/** Returns the text of the first HTML part, or "". */
async function htmlOf(copy: Uint8Array): Promise<string> {
  const leaf = leavesOf(copy).find(({ type }) => type === "text/html");
  if (!leaf) return "";
  const { bodyStart, end, encoding } = leaf;
  return new TextDecoder().decode(
    await runInSteps(decodeBody(copy.subarray(bodyStart, end), encoding)),
  );
}
