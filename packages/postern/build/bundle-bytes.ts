// Measures the bytes that the client adds to a Worker that sends mail and verifies webhooks.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const CLIENT = new URL("../src/client/postern.ts", import.meta.url).pathname;
const WORKER = `import { Postern, verifyWebhook } from ${JSON.stringify(CLIENT)};
export default {
  async fetch(request, env) {
    await verifyWebhook(await request.text(), request.headers, env.SECRET);
    const postern = new Postern(env.KEY, { baseUrl: env.URL });
    return Response.json(await postern.emails.send(await request.json()));
  },
};`;

/** Bytes of the minified bundle after gzip. */
export async function bundleBytes(): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    external: ["@react-email/render"],
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;
}
