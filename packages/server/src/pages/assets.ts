import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { notUtf8, utf8Text } from '@watchword/protocol';
import type { Problem } from '../configuration-error.ts';
import type { Page } from './model/page.ts';
import { consoleTheme, pageTheme, readTheme, type Theme } from './theme.ts';

/** A file that pages refer to. Its path changes with its content, so caches can store it forever. */
export interface Asset {
  /** Path below the base URL. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly content: Buffer;
}

export interface Assets {
  /** In the order in which they apply. */
  readonly stylesheets: readonly Asset[];
  /** Scripts by page. Every page also works without its script. */
  readonly scripts: ReadonlyMap<string, Asset>;
  readonly logo: Asset;
  readonly icon: Asset;
  /** What the administration GUI takes of them; `undefined` if that is nothing. */
  readonly consoleTheme: Asset | undefined;
}

/** The files that the operator names. */
export interface GivenAssets {
  readonly logo: Asset | undefined;
  readonly stylesheet: Asset | undefined;
  /** What the administration GUI takes of the stylesheet. */
  readonly themes: readonly Theme[];
}

/** What administrators set. The files of the operator come first. */
export interface BrandAssets {
  readonly logo: { readonly type: string; readonly content: string } | undefined;
  readonly themes: readonly Theme[];
}

export interface AssetFiles {
  readonly logo: string | undefined;
  readonly stylesheet: string | undefined;
}

const builtInDirectory = new URL('../../assets/', import.meta.url);
const maxBytes = 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

// A page loads one script, so some have what other forms have too.
const passwordScript = 'password.js';
const passkeyScript = 'passkey.js';
const formScript = 'once.js';
const parts: Readonly<Record<string, readonly string[]>> = {
  [passwordScript]: [formScript, passwordScript, passkeyScript],
  [passkeyScript]: [formScript, passkeyScript],
};

/** The built-in scripts, and the pages that each is for. */
const scripts: Readonly<Record<string, readonly Page['page'][]>> = {
  [passwordScript]: ['login', 'login-step', 'password', 'invitation', 'deletion', 'own-factor'],
  [passkeyScript]: ['account', 'new-passkey'],
  'choice.js': ['choice'],
  'forward.js': ['forward'],
  'repeat.js': ['repeat'],
  'logged-out.js': ['logged-out'],
  'states.js': ['states'],
  [formScript]: [
    ...(['authenticators', 'select-account', 'consent', 'answered', 'withdraw', 'link', 'logout'] as const),
    ...(['withdraw-tools', 'totp', 'recovery-codes', 'password-set'] as const),
  ],
};

/** Reads the files of the operator. Their problems are added to `problems`. */
export function readGivenAssets(files: AssetFiles, problems: Problem[]): GivenAssets {
  const given = (setting: string, file: string | undefined, name: string, extensions: readonly string[]) => {
    if (file === undefined) return undefined;
    const found = readGiven(file, `${name}${extname(file).toLowerCase()}`, extensions);
    if (typeof found !== 'string') return found;
    problems.push({ path: setting, place: file, problem: found });
    return undefined;
  };
  const logo = given('pages.logo', files.logo, 'logo', ['.svg', '.png']);
  const stylesheet = given('pages.stylesheet', files.stylesheet, 'theme', ['.css']);
  const themes = stylesheet === undefined ? [] : themesOf(stylesheet, files.stylesheet ?? '', problems);
  return { logo, stylesheet, themes };
}

/** Everything that pages refer to. */
export function assetsOf(given: GivenAssets, brand: BrandAssets): Assets {
  const ofBrand =
    brand.themes.length === 0 ? [] : [assetOf('brand.css', Buffer.from(pageTheme(brand.themes)))];
  const themes = [...brand.themes, ...given.themes];
  const logo = given.logo ?? brandLogo(brand) ?? builtIn('watchword.svg');
  return {
    stylesheets: [
      builtIn('watchword.css'),
      ...ofBrand,
      ...(given.stylesheet === undefined ? [] : [given.stylesheet]),
    ],
    scripts: new Map(
      Object.entries(scripts).flatMap(([name, pages]) => {
        const script = builtIn(name);
        return pages.map((page) => [page, script] as const);
      }),
    ),
    logo,
    icon: logo,
    consoleTheme:
      themes.length === 0 ? undefined : assetOf('console-theme.css', Buffer.from(consoleTheme(themes))),
  };
}

function brandLogo({ logo }: BrandAssets): Asset | undefined {
  if (logo === undefined) return undefined;
  const extension = logo.type === 'image/png' ? '.png' : '.svg';
  return assetOf(`logo${extension}`, Buffer.from(logo.content, 'base64'));
}

const builtInAssets = new Map<string, Asset>();

function builtIn(name: string): Asset {
  const read = (file: string) => readFileSync(new URL(file, builtInDirectory));
  const content = () => Buffer.concat((parts[name] ?? [name]).map(read));
  const asset = builtInAssets.get(name) ?? assetOf(name, content());
  builtInAssets.set(name, asset);
  return asset;
}

/** Problems of the stylesheet are added to `problems`. */
function themesOf(stylesheet: Asset, file: string, problems: Problem[]): readonly Theme[] {
  const known = new Set(
    builtIn('watchword.css')
      .content.toString()
      .match(/--[\w-]+(?=:)/g),
  );
  const { themes, problems: found } = readTheme(utf8Text(stylesheet.content) ?? '', known);
  for (const { line, problem } of found) {
    problems.push({ path: 'pages.stylesheet', place: `${file}:${line}`, problem });
  }
  return themes;
}

/** The asset, or the problem of the file. */
function readGiven(file: string, name: string, extensions: readonly string[]): Asset | string {
  if (!extensions.includes(extname(name))) return `expected a file that ends in ${extensions.join(' or ')}`;
  try {
    const content = readFileSync(file);
    if (content.length > maxBytes) return `expected at most ${maxBytes} bytes, got ${content.length}`;
    // The header of the answer says UTF-8. A picture names its own encoding.
    if (name.endsWith('.css') && utf8Text(content) === undefined) return notUtf8;
    return assetOf(name, content);
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
}

function assetOf(name: string, content: Buffer): Asset {
  const extension = extname(name);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    path: `/assets/${name.slice(0, -extension.length)}.${hash}${extension}`,
    type: types[extension] ?? 'application/octet-stream',
    etag: `"${hash}"`,
    content,
  };
}
