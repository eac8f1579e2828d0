import type { KeyboardEvent } from 'react';

// `keyCode` of a key that an input method has taken (UI Events §8.3.2).
const takenByInputMethod = 229;

/**
 * A handler of keys. It does not get those of an input method: with Enter, Escape and the arrows a user who writes Japanese, Chinese or
 * Korean chooses characters. Safari ends the composition before the key that confirms it, so there its code alone tells.
 */
export function onKeys<Target>(
  handle: (event: KeyboardEvent<Target>) => void,
): (event: KeyboardEvent<Target>) => void {
  return (event) => {
    if (!event.nativeEvent.isComposing && event.keyCode !== takenByInputMethod) handle(event);
  };
}
