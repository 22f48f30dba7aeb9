// Rewrites the line ends of a submitted message to CRLF (RFC 5321 §2.3.8). Everything that a
// receiving server could read as a line end becomes CRLF, so that all later checks see the message
// as it is delivered. Several CR before one LF count as one line end: programs that translate line
// ends twice write such sequences, and other mail servers read them in the same way. Pure.

const LF = 0x0a;
const CR = 0x0d;

/**
 * Turns bare CR, bare LF and CR CR LF into CRLF, removes NUL, and ends the last line. Returns the
 * same array when nothing has to change.
 */
export function toCrlfLines(bytes: Uint8Array): Uint8Array {
  const { clean, size } = measure(bytes);
  if (clean) return bytes;
  const output = new Uint8Array(size);
  let length = 0;
  const endLines = (count: number): void => {
    for (let line = 0; line < count; line += 1) {
      output[length++] = CR;
      output[length++] = LF;
    }
  };
  let returns = 0;
  // The loop runs over the indexes, because a loop over the elements takes ten times as long.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === CR) {
      returns += 1;
      continue;
    }
    endLines(byte === LF ? 1 : returns);
    returns = 0;
    if (byte !== LF && byte !== 0) output[length++] = byte;
  }
  endLines(returns);
  if (length < size) endLines(1);
  return output;
}

/** Returns the number of bytes of the result, or tells that nothing has to change. */
function measure(bytes: Uint8Array): { clean: boolean; size: number } {
  let clean = true;
  let size = 0;
  let open = false;
  /**
   * The number of CR immediately before this byte. The next byte decides how many line ends these
   * CR are.
   */
  let returns = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === CR) {
      returns += 1;
      continue;
    }
    const ends = byte === LF ? 1 : returns;
    clean &&= byte === LF ? returns === 1 : returns === 0 && byte !== 0;
    size += 2 * ends;
    if (ends > 0) open = false;
    if (byte !== LF && byte !== 0) {
      size += 1;
      open = true;
    }
    returns = 0;
  }
  if (returns > 0) return { clean: false, size: size + 2 * returns };
  return open ? { clean: false, size: size + 2 } : { clean, size };
}
