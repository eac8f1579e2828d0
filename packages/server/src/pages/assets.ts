import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { notUtf8, utf8Text } from '@watchword/protocol';
import type { Problem } from '../configuration-error.ts';
import type { Page } from './page.ts';
import { consoleTheme, readTheme } from './theme.ts';

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
  /** What the administration GUI takes of the operator's stylesheet; `undefined` if that is nothing. */
  readonly consoleTheme: Asset | undefined;
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

// A page loads one script, so this one has what other forms have too.
const passwordScript = 'password.js';
const formScript = 'once.js';

/** The built-in scripts, and the pages that each is for. */
const scripts: Readonly<Record<string, readonly Page['page'][]>> = {
  [passwordScript]: ['login', 'login-step', 'password'],
  'choice.js': ['choice'],
  'forward.js': ['forward'],
  'repeat.js': ['repeat'],
  'logged-out.js': ['logged-out'],
  'states.js': ['states'],
  [formScript]: ['select-account', 'consent', 'answered', 'account', 'withdraw', 'logout'],
};

/** Reads the built-in files and the files of the operator. Problems of the operator's files are added to `problems`. */
export function readAssets(files: AssetFiles, problems: Problem[]): Assets {
  const read = (name: string) => readFileSync(new URL(name, builtInDirectory));
  const builtIn = (name: string) =>
    assetOf(name, name === passwordScript ? Buffer.concat([read(formScript), read(name)]) : read(name));
  const given = (setting: string, file: string | undefined, name: string, extensions: readonly string[]) => {
    if (file === undefined) return [];
    const found = readGiven(file, `${name}${extname(file).toLowerCase()}`, extensions);
    if (typeof found !== 'string') return [found];
    problems.push({ path: setting, place: file, problem: found });
    return [];
  };
  const [logo = builtIn('watchword.svg')] = given('pages.logo', files.logo, 'logo', ['.svg', '.png']);
  const own = builtIn('watchword.css');
  const [theme] = given('pages.stylesheet', files.stylesheet, 'theme', ['.css']);
  return {
    stylesheets: theme === undefined ? [own] : [own, theme],
    consoleTheme: theme && themeOf(theme, own, files.stylesheet ?? '', problems),
    scripts: new Map(
      Object.entries(scripts).flatMap(([name, pages]) => {
        const script = builtIn(name);
        return pages.map((page) => [page, script] as const);
      }),
    ),
    logo,
    icon: logo,
  };
}

/** The part for the administration GUI. Problems of the stylesheet are added to `problems`. */
function themeOf(theme: Asset, own: Asset, file: string, problems: Problem[]): Asset | undefined {
  const known = new Set(own.content.toString().match(/--[\w-]+(?=:)/g));
  const { themes, problems: found } = readTheme(utf8Text(theme.content) ?? '', known);
  for (const { line, problem } of found) {
    problems.push({ path: 'pages.stylesheet', place: `${file}:${line}`, problem });
  }
  return themes.length === 0 ? undefined : assetOf('console-theme.css', Buffer.from(consoleTheme(themes)));
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
