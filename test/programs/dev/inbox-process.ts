// Runs an inbox in a process of its own, for the test that kills it. It sends its parent the port
// of its mail server.
import { startInbox } from "../../../tools/dev/inbox/inbox.ts";

const { mxPort } = await startInbox({ http: 0, mx: 0 }, process.argv[2] ?? "");
process.send?.(mxPort);
