// The picture by which an open shows: one transparent point, as a GIF.
import { Buffer } from "node:buffer";

export const PIXEL = new Uint8Array(
  Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
);
