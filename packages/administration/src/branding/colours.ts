import type { ColourScheme, MalformedField } from '@watchword/protocol';

type Colours = Readonly<Record<ColourScheme, Readonly<Record<string, string>>>>;

/** The colours of pages that can be set, by the names of their variables, with those that are built in. */
export const brandColours = {
  accent: { light: '#17615c', dark: '#7fcfc2', is: 'main button and links' },
  'on-accent': { light: '#ffffff', dark: '#06231f', is: 'text on the main button' },
  page: { light: '#f4f3ee', dark: '#111514', is: 'background of the page' },
  surface: { light: '#ffffff', dark: '#191f1d', is: 'background of the card' },
  ink: { light: '#1b201f', dark: '#e9eeec', is: 'text' },
  'ink-quiet': { light: '#5a6360', dark: '#a3aeaa', is: 'less important text' },
} as const;

export type BrandColour = keyof typeof brandColours;

export const brandColourNames = Object.keys(brandColours) as BrandColour[];

/** Other colours of pages that stand on those that can be set. */
const fixed = {
  danger: { light: '#b3261e', dark: '#ff9d94' },
  'field-line': { light: '#868e8a', dark: '#74817c' },
} as const;

/** What must be readable on what (WCAG 2.2 AA): text 4.5:1 (§1.4.3), edges of fields 3:1 (§1.4.11). */
const pairs: readonly (readonly [
  front: BrandColour | keyof typeof fixed,
  back: BrandColour,
  least: number,
])[] = [
  ['on-accent', 'accent', 4.5],
  ['accent', 'surface', 4.5],
  ['ink', 'surface', 4.5],
  ['ink', 'page', 4.5],
  ['ink-quiet', 'surface', 4.5],
  ['danger', 'surface', 4.5],
  ['field-line', 'surface', 3],
];

const colour = /^#[0-9a-f]{6}$/;

/** What is wrong with colours: their form, and each pair of which nobody can read the one on the other. */
export function colourProblems(
  colours: Colours,
  fieldOf: (scheme: ColourScheme) => string,
): MalformedField[] {
  const schemes = ['light', 'dark'] as const;
  return schemes.flatMap((scheme) => {
    const field = fieldOf(scheme);
    const given = Object.entries(colours[scheme]);
    const malformed = given.flatMap(([name, value]) => {
      if (!Object.hasOwn(brandColours, name)) {
        return [{ field, problem: `${name}: expected one of ${brandColourNames.join(', ')}` }];
      }
      return colour.test(value) ? [] : [{ field, problem: `${name}: expected a colour such as #17615c` }];
    });
    if (malformed.length > 0) return malformed;
    const colourOf = (name: BrandColour | keyof typeof fixed) =>
      colours[scheme][name] ?? { ...brandColours, ...fixed }[name][scheme];
    return pairs
      .filter((pair) => pair.slice(0, 2).some((name) => Object.hasOwn(colours[scheme], name)))
      .flatMap(([front, back, least]) => {
        const found = contrast(colourOf(front), colourOf(back));
        if (found >= least) return [];
        const problem = `${front} on ${back} has a contrast of ${found.toFixed(2)}:1 (${colourOf(front)} on ${colourOf(back)}); expected at least ${least}:1`;
        return [{ field, problem }];
      });
  });
}

/** The contrast ratio of two colours (WCAG 2.2 §1.4.3), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance (WCAG 2.2, glossary). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
