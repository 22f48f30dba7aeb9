// Parses the time of `--at`: a date and time, or a duration from now. The API takes only a time
// with an offset (contract.md §Scheduled sends), so other forms are converted here.
import { wrongUsage } from "./exit-codes.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./shown-values.ts";

const TIME =
  /^(\d{4}-\d\d-(\d\d))[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;
const PART =
  /^(?:,|and )? *(\d{1,6}(?:\.\d{1,3})?|an?(?= )) *(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)(?![a-z]) */;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/**
 * Returns the time with an offset. A time without an offset is in this machine's zone. Throws a
 * CommandFailure for any other text.
 */
export function sendTime(text: string, now: number): string {
  const time = clockTime(text.trim());
  if (time !== undefined) return time;
  const wait = waitMs(text.trim().toLowerCase());
  if (wait !== undefined) return new Date(now + wait).toISOString();
  throw wrongUsage(
    `--at is neither a time nor a duration: ${text} (such as 2027-01-31T09:00:00+01:00, 2h ` +
      `or "in 3 days")`,
  );
}

function clockTime(text: string): string | undefined {
  const [, date = "", day, time = "", offset] = TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (offset !== undefined) return `${date}T${time}${offset.toUpperCase()}`;
  const here = new Date(`${date}T${time}`);
  // JavaScript turns an impossible date such as 31 April into a date of the next month.
  return here.getDate() === Number(day) ? here.toISOString() : undefined;
}

function waitMs(text: string): number | undefined {
  let rest = text.replace(/^in +/, "");
  let ms = 0;
  while (rest !== "") {
    const [part = "", count = "", unit = ""] = PART.exec(rest) ?? [];
    if (part === "") return undefined;
    ms += (count.startsWith("a") ? 1 : Number(count)) * (UNIT_MS[unit.charAt(0)] ?? 0);
    rest = rest.slice(part.length);
  }
  return text === "" ? undefined : Math.round(ms);
}
