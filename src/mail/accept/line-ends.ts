// A submitted message as lines that end in CRLF and in nothing else (RFC 5321 section 2.3.8): what a receiver could read as the end of a line is one
// here already, so that everything after this judges the message as it is delivered. Pure.

const LF = 0x0a;
const CR = 0x0d;

/** Bare CR and bare LF become CRLF, NUL goes, a last line without an end gets one. The same array when there is nothing to do. */
export function withCrlfLines(bytes: Uint8Array): Uint8Array {
  const { clean, size } = survey(bytes);
  if (clean) return bytes;
  const output = new Uint8Array(size);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === LF || byte === CR) {
      output[length++] = CR;
      output[length++] = LF;
      if (byte === CR && bytes[index + 1] === LF) index += 1;
    } else if (byte !== 0) {
      output[length++] = byte;
    }
  }
  if (length < size) output.set([CR, LF], length);
  return output;
}

/** Whether there is nothing to do, and how many bytes there will be otherwise. */
function survey(bytes: Uint8Array): { clean: boolean; size: number } {
  let clean = true;
  let size = 0;
  let open = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === LF || byte === CR) {
      if (byte === CR && bytes[index + 1] === LF) index += 1;
      else clean = false;
      size += 2;
      open = false;
    } else if (byte === 0) {
      clean = false;
    } else {
      size += 1;
      open = true;
    }
  }
  return open ? { clean: false, size: size + 2 } : { clean, size };
}
