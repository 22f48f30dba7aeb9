// The client of the operator's API. It is separate from the team's client, so that a team's pages
// do not load it.
import { callService } from "./api-client.ts";
import { Resources } from "./operator/resources.ts";

export const operatorApi = new Resources(callService);
