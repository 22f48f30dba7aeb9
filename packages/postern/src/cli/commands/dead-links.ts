// Follows the links of a mail. Only the command line follows links, because a service that fetches
// any URL of a mail could be used to attack others.
import type { WebLink } from "../../../../../src/lint/web-links.ts";
import type { MailProblem } from "../../../../../src/lint/mail-problem.ts";

const AT_ONCE = 4;
const ANSWER_MS = 10_000;
/** Links after these are not followed, so that no check lasts for hours. */
const FOLLOWED = 200;
/** Statuses with which sites refuse programs, but not people who open the page in a browser. */
const REFUSES_PROGRAMS: ReadonlySet<number> = new Set([401, 403, 405, 429, 451, 999]);

export async function deadLinks(links: readonly WebLink[]): Promise<MailProblem[]> {
  const left = links.slice(0, FOLLOWED);
  const found = new Map<WebLink, string>();
  const work = async (): Promise<void> => {
    for (let link = left.shift(); link; link = left.shift()) {
      const fault = await faultOf(link.url);
      if (fault !== undefined) found.set(link, fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return links
    .filter((link) => found.has(link))
    .map((link) => ({
      rule: "dead-links",
      severity: "warning",
      where: link.where,
      message: `The link ${link.url} ${found.get(link)}.`,
      help: "Open the link in a browser, and mend it.",
    }));
}

/** Undefined: the link's page answers. */
async function faultOf(url: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(url, { signal, headers: { "User-Agent": "postern-check" } });
    await answer.body?.cancel();
    const { status } = answer;
    return status >= 400 && !REFUSES_PROGRAMS.has(status) ? `answers ${status}` : undefined;
  } catch (error) {
    const { name, cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return name === "TimeoutError" ? "gives no answer in 10 seconds" : `can't be opened: ${reason}`;
  }
}
