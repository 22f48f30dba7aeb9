// Counts the problems of a check in words. Pure.
import type { CheckProblemView } from "./use-check.ts";

export function severityCounts(problems: readonly Pick<CheckProblemView, "severity">[]): string {
  if (problems.length === 0) return "Nothing wrong";
  const words = (["error", "warning", "note"] as const).flatMap((severity) => {
    const { length } = problems.filter((one) => one.severity === severity);
    return length === 0 ? [] : [`${length} ${severity}${length === 1 ? "" : "s"}`];
  });
  return words.join(", ");
}
