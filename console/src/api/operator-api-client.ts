// The client of the operator's API, apart from the team's, so that a team's pages do not load it.
import { callService } from "./api-client.ts";
import { Resources } from "./operator/resources.ts";

export const operatorApi = new Resources(callService);
