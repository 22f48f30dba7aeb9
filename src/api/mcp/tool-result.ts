// Makes a tool's result from the API's answer (docs/mcp.md §What a tool answers).
import { JSON_TYPE } from "../errors.ts";
import { boundResult, cutText } from "./bounded-result.ts";
import { isRecord } from "./json-rpc.ts";
import type { ToolResult } from "./tool.ts";

const WARNING_HEADERS = [
  "X-Ignored-Members",
  "X-Ignored-Parameters",
  "X-Missing-Variables",
  "X-Unmatched-Content-Ids",
] as const;
/**
 * Maximum number of characters of an answer that is not JSON: FILE_CHARACTERS by default, and
 * WHOLE_FILE_CHARACTERS with `whole: true`.
 */
const FILE_CHARACTERS = 20_000;
const WHOLE_FILE_CHARACTERS = 1_000_000;
/** Maximum number of cuts that the result describes one by one. The result only counts the rest. */
const TOLD_CUTS = 10;

/**
 * Shortens the answer, unless the caller asks for all of it. Adds the names in the request that the
 * service ignored.
 */
export async function resultOf(response: Response, isWhole = false): Promise<ToolResult> {
  const { text, value, warnings } = await answerOf(response, isWhole);
  const ignored = WARNING_HEADERS.flatMap((name) => {
    const names = response.headers.get(name);
    return names === null ? [] : [`${name}: ${names}`];
  });
  const failed = response.ok ? [] : [`X-Request-Id: ${response.headers.get("X-Request-Id")}`];
  const said = text === "" ? `Done: ${response.status}.` : text;
  return {
    content: [said, ...ignored, ...warnings, ...failed].map((part) => ({
      type: "text",
      text: part,
    })),
    isError: !response.ok,
    ...(response.ok && isRecord(value) && { structuredContent: value }),
  };
}

async function answerOf(response: Response, isWhole: boolean) {
  if (response.headers.get("Content-Type") !== JSON_TYPE) return fileOf(response, isWhole);
  const text = await response.text();
  const answer: unknown = JSON.parse(text);
  const { value, warnings } = isWhole ? { value: answer, warnings: [] } : boundResult(answer);
  if (warnings.length === 0) return { text, value, warnings };
  const more = warnings.length - TOLD_CUTS;
  const told = [...warnings.slice(0, TOLD_CUTS), ...(more > 0 ? [`And ${more} more.`] : [])];
  const hint = "With `whole: true` a reading tool gives the whole answer.";
  return { text: JSON.stringify(value), value, warnings: [[...told, hint].join("\n")] };
}

/**
 * Reads only the part of a file that the result shows, because a list of suppressions can have a
 * million lines.
 */
async function fileOf(response: Response, isWhole: boolean) {
  const most = isWhole ? WHOLE_FILE_CHARACTERS : FILE_CHARACTERS;
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > most) break;
  }
  const warnings: string[] = [];
  const shown = cutText(text, "", most, warnings);
  const hint = isWhole
    ? "Narrow the list by its filters."
    : "`whole: true` shows up to 1,000,000 characters.";
  const warning = `The file is longer: its first ${most} characters are shown. ${hint}`;
  return { text: shown, value: undefined, warnings: warnings.length === 0 ? [] : [warning] };
}
