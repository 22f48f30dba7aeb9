// The root of all places, the teams' and the operator's.
import { createRootRoute, Outlet } from "@tanstack/react-router";

export const root = createRootRoute({ component: Outlet });
