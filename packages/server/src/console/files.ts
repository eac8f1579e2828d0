import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the administration GUI. Its name changes with its content, so caches can store it forever. */
export interface ConsoleFile {
  /** Path below the base URL. */
  readonly path: string;
  readonly type: string;
  /** The content and its compressed forms by content coding, read at the first request. */
  content(coding?: ContentCoding): Buffer | Promise<Buffer>;
  readonly codings: readonly ContentCoding[];
}

export type ContentCoding = 'br' | 'gzip';

export interface ConsoleFiles {
  /** The page itself: HTML with a `</head>`. */
  readonly page: string;
  /** The page that receives the answer of a login test. */
  readonly loginTest: string;
  readonly files: readonly ConsoleFile[];
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const extensions: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' };

// Only files that the build writes: no dotfile, no source map.
const servedName = /^[A-Za-z0-9_-]+\.(?:js|css|svg)$/;

/** The directory with the built files of `@watchword/console`. */
export function consoleDirectory(): string | undefined {
  try {
    return fileURLToPath(new URL('.', import.meta.resolve('@watchword/console/client.html')));
  } catch {
    return undefined;
  }
}

/** The built files; `undefined` if there are none. The server serves no other file of the directory. */
export function readConsoleFiles(directory = consoleDirectory()): ConsoleFiles | undefined {
  if (directory === undefined) return undefined;
  try {
    const page = readFileSync(join(directory, 'client.html'), 'utf8');
    const loginTest = readFileSync(join(directory, 'login-test.html'), 'utf8');
    const assets = join(directory, 'assets');
    const names = readdirSync(assets);
    const files = names
      .filter((name) => servedName.test(name))
      .map((name) => consoleFile(assets, name, new Set(names)));
    return { page, loginTest, files };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function consoleFile(directory: string, name: string, names: ReadonlySet<string>): ConsoleFile {
  const read = new Map<string, Buffer>();
  return {
    path: `/client/assets/${name}`,
    type: types[extname(name)] ?? 'application/octet-stream',
    codings: (['br', 'gzip'] as const).filter((coding) => names.has(name + extensions[coding])),
    content(coding) {
      const file = coding === undefined ? name : name + extensions[coding];
      const content = read.get(file) ?? readFileSync(join(directory, file));
      read.set(file, content);
      return content;
    },
  };
}
