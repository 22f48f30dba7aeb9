// The console's buttons. Each look is a component of its own (styles/controls.css).
import type { ComponentProps } from "react";

export const Button = buttonOf("btn");
/** The button of a page's or a form's main action. */
export const MainButton = buttonOf("btn main");
/** The button of an action that destroys something. */
export const DangerButton = buttonOf("btn danger");
export const SmallButton = buttonOf("btn small");
/** A button that looks like a link, for an action inside a text. */
export const TextButton = buttonOf("link");

function buttonOf(look: string) {
  return (props: ComponentProps<"button">) => <button type="button" className={look} {...props} />;
}
