// Stores how far domains have come with their onboarding to Cloudflare's Email Service, and which
// names the service onboarded itself. The jobs of the queue belong to no team.
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { domains, onboardedNames, type Onboarding } from "../../../db/core-schema.ts";

type OnboardedName = typeof onboardedNames.$inferSelect;

export async function setOnboarding(
  db: D1Database,
  id: string,
  onboarding: Onboarding,
): Promise<void> {
  await drizzle(db).update(domains).set({ onboarding }).where(eq(domains.id, id));
}

/** Tells whether any team has a domain of this name. */
export async function isNameUsed(db: D1Database, name: string): Promise<boolean> {
  const query = drizzle(db).select({ id: domains.id }).from(domains).where(eq(domains.name, name));
  return (await query.get()) !== undefined;
}

/** Returns null if the service did not onboard the name itself. */
export async function findOnboarded(db: D1Database, name: string): Promise<OnboardedName | null> {
  const query = drizzle(db).select().from(onboardedNames).where(eq(onboardedNames.name, name));
  return (await query.get()) ?? null;
}

export async function rememberOnboarded(db: D1Database, row: OnboardedName): Promise<void> {
  await drizzle(db)
    .insert(onboardedNames)
    .values(row)
    .onConflictDoNothing({ target: onboardedNames.name });
}

export async function forgetOnboarded(db: D1Database, name: string): Promise<void> {
  await drizzle(db).delete(onboardedNames).where(eq(onboardedNames.name, name));
}
