// Tells wrangler the jurisdiction in which to create a store (docs/near-its-users.md §EU only).
import type { SetupSettings } from "../setting-prompts.ts";

export function isEu({ JURISDICTION }: SetupSettings): boolean {
  return JURISDICTION === "eu";
}

export function jurisdictionArguments(settings: SetupSettings): string[] {
  return isEu(settings) ? ["--jurisdiction", "eu"] : [];
}
