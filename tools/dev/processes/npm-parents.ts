// Notices when npm has ended. npm passes a signal only to the shell that runs the script, and this
// shell ends without passing the signal on to the script.
import { commandOf, readProcess } from "../../harness/process-table.ts";

const POLL_MS = 250;

/** Calls `gone` once, when npm or its shell has ended. Does nothing outside an npm script. */
export function onNpmGone(
  environment: Readonly<Record<string, string | undefined>>,
  gone: () => void,
): void {
  if (environment["npm_lifecycle_event"] === undefined) return;
  const shell = process.ppid;
  const isShell = /^(?:\S*\/)?(?:ba|da)?sh -c /.test(commandOf(shell) ?? "");
  const npm = isShell ? parentOf(shell) : null;
  const timer = setInterval(() => {
    const isComplete = process.ppid === shell && (npm === null || parentOf(shell) === npm);
    if (isComplete) return;
    clearInterval(timer);
    gone();
  }, POLL_MS);
  timer.unref();
}

function parentOf(pid: number): number | null {
  return readProcess(pid)?.parent ?? null;
}
