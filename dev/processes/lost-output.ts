// What a program says to a terminal that is gone, or to a file on a full disk, is dropped. Without
// a listener such an error would end the program.
export function dropLostOutput(
  streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) stream.on("error", () => undefined);
}
