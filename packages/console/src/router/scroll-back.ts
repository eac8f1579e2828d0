// Milliseconds after which the page is taken for complete.
const patience = 5000;

const ownMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to where the user was, as soon as the page is long enough for it, unless the user moves before.
 *
 * @returns gives it up
 */
export function scrollBack(top: number): () => void {
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, top);
    if (Math.abs(window.scrollY - top) <= 1) giveUp();
  });
  const timer = setTimeout(giveUp, patience);
  function giveUp() {
    clearTimeout(timer);
    observer.disconnect();
    for (const type of ownMoves) window.removeEventListener(type, giveUp);
  }
  // It is called once at the beginning too.
  observer.observe(document.body);
  for (const type of ownMoves) window.addEventListener(type, giveUp, { passive: true });
  return giveUp;
}
