import type { Branding } from '@watchword/protocol';
import type { BrandAssets } from './assets.ts';
import type { Locales } from './texts/locales.ts';
import type { Theme } from './theme.ts';

/** What administrators set, as pages use it. */
export interface Brand extends BrandAssets {
  /** `''`: that of the configuration. */
  readonly productName: string;
  readonly texts: Locales;
}

export const noBrand: Brand = { productName: '', logo: undefined, themes: [], texts: new Map() };

export function brandOf({ productName, logo, colours, texts }: Branding): Brand {
  const themes = (['light', 'dark'] as const).flatMap((scheme): Theme[] => {
    const variables = new Map(Object.entries(colours[scheme]).map(([name, value]) => [`--${name}`, value]));
    if (variables.has('--accent')) {
      variables.set('--accent-hover', 'color-mix(in srgb, var(--accent), var(--ink) 25%)');
    }
    // Each in its scheme alone: the colours of the other one stay.
    return variables.size === 0 ? [] : [{ media: `(prefers-color-scheme: ${scheme})`, variables }];
  });
  const locales = Object.entries(texts).map(
    ([language, ofIt]) => [language, new Map(Object.entries(ofIt))] as const,
  );
  return { productName, logo, themes, texts: new Map(locales) };
}
