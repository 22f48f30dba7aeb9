// Stores the state of domains' onboarding to Cloudflare's Email Service, and the names that the
// service onboarded itself. Takes no Scope, because the queue's jobs do not belong to a team.
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { coreWith, readCores, sharedCore } from "../../../db/core-shards.ts";
import { domains, onboardedNames, type Onboarding } from "../../../db/core-schema.ts";
import type { Env } from "../../../env.ts";

type OnboardedName = typeof onboardedNames.$inferSelect;

export async function setOnboarding(env: Env, id: string, onboarding: Onboarding): Promise<void> {
  await drizzle(coreWith(env, id)).update(domains).set({ onboarding }).where(eq(domains.id, id));
}

/** Returns whether any team has a domain of this name. */
export async function isNameUsed(env: Env, name: string): Promise<boolean> {
  const found = await readCores(env, (db) =>
    drizzle(db).select({ id: domains.id }).from(domains).where(eq(domains.name, name)).limit(1),
  );
  return found.some(({ length }) => length > 0);
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

/** Returns the names of the team's domains that the service onboarded itself. */
export async function listOnboardedNames(env: Env, id: string): Promise<string[]> {
  const names = await drizzle(coreWith(env, id))
    .select({ name: domains.name })
    .from(domains)
    .where(eq(domains.teamId, id));
  const ofTeam = JSON.stringify(names.map(({ name }) => name));
  const rows = await drizzle(sharedCore(env))
    .select({ name: onboardedNames.name })
    .from(onboardedNames)
    .where(sql`${onboardedNames.name} IN (SELECT value FROM json_each(${ofTeam}))`);
  return rows.map((row) => row.name);
}
