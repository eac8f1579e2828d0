import { useEffect, useEffectEvent } from 'react';

/** Calls back when the key is pressed where nothing is typed and no dialog is open. @param key as in `KeyboardEvent.key`; `undefined`: none */
export function useShortcut(key: string | undefined, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    if (key === undefined) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const isTyping =
        event.target instanceof Element && event.target.closest('input,textarea,select') !== null;
      if (isTyping || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      press();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key]);
}
