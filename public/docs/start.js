// Draws the API reference (src/api/reference.ts) from the document of the same origin, with everything off that would ask another host.

/** Scalar's colours of quiet text, methods and values miss the contrast of 4.5 to 1 that WCAG 2.2 asks for, on white, on grey and on black. */
const COLOURS = `
.light-mode {
  --scalar-color-2: #5c5c5c;
  --scalar-color-3: #666;
  --scalar-color-green: #00704a;
  --scalar-color-blue: #0065a3;
  --scalar-color-orange: #b83c00;
  --scalar-color-red: #c80005;
  --scalar-color-yellow: #735600;
}
.dark-mode {
  --scalar-color-3: #9a9a9a;
}`;

/** Scalar's buttons that copy an example show an icon alone; they come and go as the reader scrolls. */
function nameCopyButtons(reference) {
  let isDue = false;
  const name = () => {
    isDue = false;
    for (const button of reference.querySelectorAll(".scalar-code-copy:not([aria-label])"))
      button.setAttribute("aria-label", "Copy");
  };
  new MutationObserver(() => {
    if (!isDue) requestAnimationFrame(name);
    isDue = true;
  }).observe(reference, { childList: true, subtree: true });
}

if (globalThis.Scalar) {
  nameCopyButtons(document.querySelector("#reference"));
  globalThis.Scalar.createApiReference("#reference", {
    url: "/openapi.json",
    proxyUrl: "",
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    persistAuth: false,
    authentication: { preferredSecurityScheme: "apiKey" },
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    documentDownloadType: "json",
    orderSchemaPropertiesBy: "preserve",
    customCss: COLOURS,
  });
} else {
  document.querySelector("#reference").textContent =
    "The reference's script is not there: `node dev/bootstrap.mjs` puts it there. The document is at /openapi.json.";
}
