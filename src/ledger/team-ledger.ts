// One team's ledger.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";

export class TeamLedger extends DurableObject<Env> {}
