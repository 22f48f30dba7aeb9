// Draws the API reference (src/api/reference.ts) from the document of the same origin, with everything off that would ask another host.
if (globalThis.Scalar) {
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
  });
} else {
  document.querySelector("#reference").textContent =
    "The reference's script is not there: `node dev/bootstrap.mjs` puts it there. The document is at /openapi.json.";
}
