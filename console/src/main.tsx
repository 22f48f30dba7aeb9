// The console's entry point: renders the router and the query cache into the page.
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { router } from "./router.tsx";
import { applyTheme } from "./shell/theme.ts";
import "./styles/console.css";

applyTheme();
const place = document.querySelector("#console");
if (!place) throw new Error("the HTML page has no element with the id “console”");
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
