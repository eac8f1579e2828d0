import { characterAt } from '../model/hidden-characters.ts';

// Control characters, ends of lines, and what nobody sees: joiners stay, because names of some languages need them.
const unseen = /[\p{Cc}\u00AD\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/u;
// An apostrophe within a name stays. Quotes of books count as a pair only.
const quotes = /^["'`]|["'`]$|"|^[“„‘].*[”“’]$/s;
const unreplaced = /^(?:~|\$\{?\w*\}?|%\w*%?)|\$\{\w*\}/;
// Not a drive letter, and not a time, as in backup-13:47.db.
const scheme = /^(?![^:]*\d:\d\d(?!\d))[a-z][a-z0-9+.-]+:/i;

/**
 * What to do about a text that names no file, although the file system would take it as a name: it was written for a shell or another
 * program, or came with its quotes or the end of its line. `undefined` if it can be a path.
 *
 * @param mayBeUrl whether a URL such as `file:///login.js` is as good
 */
export function pathProblem(text: string, mayBeUrl = false): string | undefined {
  if (text.trim() === '') return text === '' ? 'write a path' : 'write a path in place of the white space';
  if (text.trimStart() !== text) return 'remove the white space at its beginning';
  if (!/[\r\n]$/.test(text) && text.trimEnd() !== text) return 'remove the white space at its end';
  const hidden = characterAt(text, unseen);
  if (hidden !== undefined) return `remove ${hidden}`;
  if (!text.isWellFormed()) return 'write it in valid Unicode';
  if (quotes.test(text)) return 'remove the quotes';
  const [found] = unreplaced.exec(text) ?? [];
  if (found !== undefined) return `write the whole path, because nothing replaces ${found} here`;
  const [prefix] = mayBeUrl ? [] : (scheme.exec(text) ?? []);
  return prefix === undefined ? undefined : `write the path alone, without ${prefix}`;
}
