import { createHash } from 'node:crypto';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { fallbackLanguage, type Locales } from '../pages/texts/locales.ts';
import { languageLookup } from '../pages/texts/negotiate.ts';
import { directionOf } from '../pages/texts/texts.ts';
import type { ConsoleFile, ContentCoding } from './files.ts';

// Not an import, which would load every part of it (docs/adr/0083).
const { promisify } = process.getBuiltinModule('node:util');

/** The texts of the GUI in one language. The browser loads this table alone. */
export interface ConsoleTexts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Every key of the GUI with its text; the English text between isolates where the language lacks it. */
  readonly table: Readonly<Record<string, string>>;
  /** The table as JSON, under a name that changes with it. */
  readonly file: ConsoleFile;
}

export interface ConsoleLanguages {
  /** The texts for the `Accept-Language` of a browser. */
  forLanguage(acceptLanguage: string | undefined): ConsoleTexts;
  /** The file of a name; `undefined` if there is none. */
  file(name: string): ConsoleFile | undefined;
}

const folder = '/client/texts/';

/** Prepares each language when it is first requested. */
export function consoleLanguages(readLocales: () => Locales): ConsoleLanguages {
  let read: { readonly locales: Locales; readonly languageOf: ReturnType<typeof languageLookup> } | undefined;
  const ready = new Map<string, ConsoleTexts>();
  const languages = () => {
    const locales = read?.locales ?? readLocales();
    read ??= { locales, languageOf: languageLookup([...locales.keys()], fallbackLanguage) };
    return read;
  };
  const textsOf = (language: string) => {
    const texts = ready.get(language) ?? consoleTexts(languages().locales, language);
    ready.set(language, texts);
    return texts;
  };
  return {
    forLanguage: (acceptLanguage) => textsOf(languages().languageOf(acceptLanguage)),
    file(name) {
      const [language = ''] = name.split('.', 1);
      if (!languages().locales.has(language)) return undefined;
      const { file } = textsOf(language);
      return file.path === folder + name ? file : undefined;
    },
  };
}

function consoleTexts(locales: Locales, language: string): ConsoleTexts {
  const own = locales.get(language);
  // The GUI gives what stands between these isolates the language English, and right-to-left text around keeps its order.
  const inEnglish = (text: string) => (language === fallbackLanguage ? text : `\u2066${text}\u2069`);
  const table = Object.fromEntries(
    [...(locales.get(fallbackLanguage) ?? [])].map(([key, text]) => [key, own?.get(key) ?? inEnglish(text)]),
  );
  const content = Buffer.from(JSON.stringify(table));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    language,
    direction: directionOf(language),
    table,
    file: {
      path: `${folder}${language}.${hash}.json`,
      type: 'application/json',
      codings: ['br', 'gzip'],
      content: compressed(content),
    },
  };
}

/** A tenth of a second once after a start, for a tenth fewer bytes at each visit. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** Compresses outside the event loop, each coding once. */
function compressed(content: Buffer): ConsoleFile['content'] {
  const made = new Map<ContentCoding, Promise<Buffer>>();
  return (coding) => {
    if (coding === undefined) return content;
    const known = made.get(coding);
    if (known !== undefined) return known;
    const making = coding === 'br' ? promisify(brotliCompress)(content, brotli) : promisify(gzip)(content);
    made.set(coding, making);
    return making;
  };
}
