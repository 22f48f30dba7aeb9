// Lists the console's keyboard shortcuts.
import { useEffect, useRef } from "react";
import { Button } from "../parts/button.tsx";
import { type LetteredPage, listKeys } from "../parts/key-table.ts";

interface KeysDialogProps {
  readonly sections: readonly LetteredPage[];
  readonly onClose: () => void;
}

export function KeysDialog({ sections, onClose }: KeysDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const places = Map.groupBy(listKeys(sections), ({ place }) => place);
  return (
    <dialog
      ref={dialog}
      aria-label="Keyboard shortcuts"
      onClose={onClose}
      // Keys pressed in the dialog must not act on the page behind it.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2>Keyboard shortcuts</h2>
      <div className="keys">
        {Array.from(places, ([place, keys]) => (
          <table key={place}>
            <caption>{place}</caption>
            <tbody>
              {keys.map(({ keys: names, does }) => (
                <tr key={does}>
                  <th scope="row">{does}</th>
                  <td className="n">
                    {names.map((name) => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <div className="buttons">
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </div>
    </dialog>
  );
}
