// Makes a message safe to follow DATA (RFC 5321 section 4.5.2): a dot before each line's leading
// dot, and the final dot on a line of its own. A bare CR or LF becomes CRLF on the way: a server
// that takes one for a line end would else see an end of data where there is none.

const CR = 13;
const LF = 10;
const DOT = 46;
const END = new Uint8Array([DOT, CR, LF]);

/** The message as it goes over the wire, its final dot included. */
export function dotStuffed(message: Uint8Array): Uint8Array {
  const output = new Uint8Array(message.length + countInserted(message) + END.length);
  let length = 0;
  let last = LF;
  for (const byte of message) {
    if (last === CR && byte !== LF) {
      output[length++] = LF;
      last = LF;
    }
    if (byte === LF && last !== CR) output[length++] = CR;
    if (byte === DOT && last === LF) output[length++] = DOT;
    output[length++] = byte;
    last = byte;
  }
  if (last === CR) output[length++] = LF;
  else if (last !== LF) {
    output[length++] = CR;
    output[length++] = LF;
  }
  output.set(END, length);
  return output;
}

function countInserted(message: Uint8Array): number {
  let inserted = 0;
  let last = LF;
  for (const byte of message) {
    if (last === CR && byte !== LF) {
      inserted += 1;
      last = LF;
    }
    if ((byte === LF && last !== CR) || (byte === DOT && last === LF)) inserted += 1;
    last = byte;
  }
  if (last === CR) return inserted + 1;
  return last === LF ? inserted : inserted + 2;
}
