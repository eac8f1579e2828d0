import { type RefObject, useLayoutEffect } from 'react';

// Pixels.
const gap = 4;
const margin = 8;

/**
 * Shows an element over everything else, below its anchor, or above it where there is more room. It needs the
 * attribute `popover="manual"`: in the top layer, nothing around it cuts it off.
 *
 * @param side which edges are in line: `start`, or `end`
 */
export function usePopup(
  isOpen: boolean,
  anchor: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
  side: 'start' | 'end' = 'start',
): void {
  useLayoutEffect(() => {
    const { current: above } = anchor;
    const { current: shown } = popup;
    if (!isOpen || above === null || shown === null) return;
    const place = () => putBeside(above.getBoundingClientRect(), shown, side);
    shown.showPopover();
    place();
    // The anchor moves with everything that scrolls.
    const capturing = { capture: true, passive: true };
    window.addEventListener('scroll', place, capturing);
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, capturing);
      window.removeEventListener('resize', place);
      if (shown.isConnected) shown.hidePopover();
    };
  }, [isOpen, anchor, popup, side]);
}

function putBeside(
  anchor: DOMRect,
  { style, offsetWidth, offsetHeight }: HTMLElement,
  side: 'start' | 'end',
) {
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - anchor.bottom - gap - margin;
  const above = anchor.top - gap - margin;
  const isBelow = below >= Math.min(offsetHeight, above);
  const left = side === 'start' ? anchor.left : anchor.right - offsetWidth;
  style.left = `${Math.max(margin, Math.min(left, clientWidth - offsetWidth - margin))}px`;
  style.top = isBelow ? `${anchor.bottom + gap}px` : 'auto';
  style.bottom = isBelow ? 'auto' : `${clientHeight - anchor.top + gap}px`;
  style.setProperty('--room', `${isBelow ? below : above}px`);
  style.setProperty('--anchor-width', `${anchor.width}px`);
}
