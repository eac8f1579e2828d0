/** How pages look and what they say, as administrators set it. What the configuration sets comes first. */
export interface Branding {
  /** `''`: that of the configuration. */
  readonly productName: string;
  /** `undefined`: the built-in one. */
  readonly logo: BrandingLogo | undefined;
  /** By colour scheme and name, each as `#rrggbb`. */
  readonly colours: Readonly<Record<ColourScheme, Readonly<Record<string, string>>>>;
  /** By language and key. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export type ColourScheme = 'light' | 'dark';

export interface BrandingLogo {
  readonly type: 'image/svg+xml' | 'image/png';
  /** Base64. */
  readonly content: string;
}

export interface StoredBranding {
  readonly branding: Branding;
  /** Epoch milliseconds. */
  readonly modificationDate: number;
  /** Greater after each change; 0 before the first. */
  readonly revision: number;
}
