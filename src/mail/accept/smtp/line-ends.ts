// A submitted message as lines that end in CRLF and in nothing else (RFC 5321 §2.3.8): what a
// receiver could read as the end of a line is one here already, so that everything after this
// judges the message as it is delivered. Several CR before one LF end one line, since programs that
// translate line ends twice write them so, and other mail servers read them so. Pure.

const LF = 0x0a;
const CR = 0x0d;

/**
 * Bare CR, bare LF and CR CR LF become CRLF, NUL goes, a last line without an end gets one. The
 * same array when there is nothing to do.
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
  // A loop over the elements takes ten times as long as one over the indexes.
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

/** Whether there is nothing to do, and how many bytes there will be otherwise. */
function measure(bytes: Uint8Array): { clean: boolean; size: number } {
  let clean = true;
  let size = 0;
  let open = false;
  /** CR that wait for what comes behind them. */
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
