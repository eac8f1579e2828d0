import { browserStorage } from '../browser-storage.ts';

export const colorSchemes = ['auto', 'light', 'dark'] as const;

export type ColorScheme = (typeof colorSchemes)[number];

const key = 'watchword.colours';

/** What the user has chosen in this browser; `auto`: as the system has it. */
export function colorScheme(): ColorScheme {
  const kept = browserStorage()?.getItem(key);
  return colorSchemes.find((scheme) => scheme === kept) ?? 'auto';
}

export function chooseColorScheme(scheme: ColorScheme): void {
  browserStorage()?.setItem(key, scheme);
  showColorScheme(scheme);
}

/** The stylesheets read the attribute. */
export function showColorScheme(scheme: ColorScheme): void {
  document.documentElement.dataset.colorScheme = scheme;
}
