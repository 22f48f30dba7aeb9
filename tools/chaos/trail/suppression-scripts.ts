// Suppresses addresses during a storm, lifts some suppressions, and imports some. No round writes
// to these addresses.
import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeMaker } from "./change-maker.ts";

const LOOK_AGAIN_MS = 100;

export async function suppressAddresses(maker: ChangeMaker): Promise<void> {
  const { tag, chance, change, read, repeat } = maker;
  const addresses = chance.between("addresses", 1, 4);
  for (let index = 1; index <= addresses; index += 1) {
    const email = `${tag}-${index}@trail.chaos.example`;
    const path = `/v1/suppressions/${email}`;
    const count = async () => ((await read(path))?.["data"] as unknown[] | undefined)?.length ?? 0;
    const add = { method: "POST", path: "/v1/suppressions", body: { email } } as const;
    const lift = { method: "DELETE", path } as const;
    await change("suppression.create", add, email, async () => (await count()) > 0);
    if (chance.happens("added twice", 0.3)) await repeat(add);
    await change("suppression.delete", lift, email, async () => (await count()) === 0);
    if (chance.happens("lifted twice", 0.3)) await repeat(lift);
  }
}

/**
 * Imports one file. A try whose answer was lost may have begun a separate import, which has an
 * entry too.
 */
export async function importSuppressions({ tag, make, read }: ChangeMaker): Promise<void> {
  const path = "/v1/suppressions/import";
  const body = `email\n${tag}-imported@trail.chaos.example\n`;
  const id = await make("suppression.import", { method: "POST", path, body }, (answered) =>
    Promise.resolve(answered === null ? null : (JSON.parse(answered) as { id: string }).id),
  );
  while ((await read(`/v1/suppressions/imports/${id}`))?.["status"] === "running")
    await sleep(LOOK_AGAIN_MS);
}
