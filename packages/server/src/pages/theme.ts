import { createRequire } from 'node:module';
import { nearestName, shown } from '@watchword/protocol';
import type { ChildNode, CssSyntaxError, Declaration, parse as Parse, Root } from 'postcss';

/** The variables that a stylesheet sets for whole pages, in the order in which they apply. */
export interface Theme {
  /** The condition of `@media`, `''` for all. */
  readonly media: string;
  readonly variables: ReadonlyMap<string, string>;
}

export interface ThemeProblem {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/** Only a server with a stylesheet of its own waits for the parser. */
let parse: typeof Parse | undefined;

/**
 * Reads the variables of a stylesheet.
 *
 * @param known the variables of the built-in stylesheet
 * @returns the themes, or what is wrong
 */
export function readTheme(
  css: string,
  known: ReadonlySet<string>,
): { readonly themes: readonly Theme[]; readonly problems: readonly ThemeProblem[] } {
  parse ??= createRequire(import.meta.url)('postcss/lib/parse') as typeof Parse;
  let root: Root;
  try {
    root = parse(css);
  } catch (error) {
    const { reason = String(error), line = 1 } = error as Partial<CssSyntaxError>;
    const problem = `is no CSS: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}; mend this line, or the one before it`;
    return { themes: [], problems: [{ line, problem }] };
  }
  const declarations: Declaration[] = [];
  root.walkDecls((declaration) => {
    declarations.push(declaration);
  });
  return { themes: themesOf(declarations), problems: variableProblems(declarations, known) };
}

/** Variables of the operator are right if the same file both sets and reads them. */
function variableProblems(
  declarations: readonly Declaration[],
  known: ReadonlySet<string>,
): readonly ThemeProblem[] {
  const set = new Set(declarations.flatMap(({ prop }) => (prop.startsWith('--') ? [prop] : [])));
  const uses = declarations.flatMap((declaration) =>
    [...declaration.value.matchAll(/var\(\s*(--[^\s,)]+)\s*(,)?/g)].map(([, name = '', fallback]) => ({
      declaration,
      name,
      hasFallback: fallback !== undefined,
    })),
  );
  const read = new Set(uses.map(({ name }) => name));
  const unread = declarations.filter(
    ({ prop }) => prop.startsWith('--') && !known.has(prop) && !read.has(prop),
  );
  const unset = uses.filter(({ name, hasFallback }) => !hasFallback && !known.has(name) && !set.has(name));
  return [
    ...unread.map((declaration) => ({
      line: lineOf(declaration),
      problem: `expected a variable of the pages, or one that var() reads in this file, ${got(declaration.prop, known)}`,
    })),
    ...unset.map(({ declaration, name }) => ({
      line: lineOf(declaration),
      problem: `expected var() of a variable of the pages, or of one that this file sets, ${got(name, new Set([...known, ...set]))}`,
    })),
  ].sort((a, b) => a.line - b.line);
}

function got(name: string, known: ReadonlySet<string>): string {
  const near = nearestName(name, [...known]);
  return `got ${shown(name, 100)}${near === undefined ? '; remove it, or correct its name' : `; did you mean ${near}?`}`;
}

function lineOf({ source }: Declaration): number {
  return source?.start?.line ?? 1;
}

function themesOf(declarations: readonly Declaration[]): readonly Theme[] {
  const themes: { media: string; variables: Map<string, string> }[] = [];
  for (const declaration of declarations) {
    if (!declaration.prop.startsWith('--')) continue;
    const media = mediaOf(declaration);
    if (media === undefined) continue;
    const last = themes.at(-1);
    const theme = last?.media === media ? last : { media, variables: new Map<string, string>() };
    if (theme !== last) themes.push(theme);
    theme.variables.set(declaration.prop, declaration.value.trim());
  }
  return themes;
}

/** The media of a declaration for the whole page; `undefined` for any other. */
function mediaOf({ parent }: Declaration): string | undefined {
  if (parent?.type !== 'rule') return undefined;
  const { selectors } = parent as unknown as { readonly selectors: readonly string[] };
  if (!selectors.some((selector) => selector === ':root' || selector === 'html')) return undefined;
  const media: string[] = [];
  for (let around = parent.parent; around !== undefined && around.type !== 'root'; around = around.parent) {
    const { type, name, params } = around as ChildNode & { readonly name?: string; readonly params?: string };
    if (type !== 'atrule' || name?.toLowerCase() !== 'media' || params === undefined) return undefined;
    media.unshift(params);
  }
  return media.join(' and ');
}

/** The stylesheet of variables for pages. */
export function pageTheme(themes: readonly Theme[]): string {
  return themes.map(({ media, variables }) => `@media ${media}{:root${bodyOf(variables)}}`).join('\n');
}

function bodyOf(variables: Theme['variables']): string {
  return `{${[...variables].map(([name, value]) => `${name}:${value}`).join(';')}}`;
}

const dark = /^\(\s*prefers-color-scheme\s*:\s*dark\s*\)$/;
const light = /^\(\s*prefers-color-scheme\s*:\s*light\s*\)$/;

/**
 * The same variables for the administration GUI, as a stylesheet: not the other rules, which are about elements of the pages.
 * Users of the GUI can choose a colour scheme that is not that of their device.
 */
export function consoleTheme(themes: readonly Theme[]): string {
  return themes
    .map(({ media, variables }) => {
      const body = bodyOf(variables);
      // The doubled `:root` is stronger than the stylesheet of the GUI, which is loaded after this one.
      const scheme = dark.test(media) ? 'dark' : light.test(media) ? 'light' : undefined;
      if (scheme === undefined) {
        return media === '' ? `:root:root${body}` : `@media ${media}{:root:root${body}}`;
      }
      const other = scheme === 'dark' ? 'light' : 'dark';
      return `@media ${media}{:root:root:not([data-color-scheme="${other}"])${body}}\n:root:root[data-color-scheme="${scheme}"]${body}`;
    })
    .join('\n');
}
