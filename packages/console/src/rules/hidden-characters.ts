import * as english from '../../../protocol/src/model/hidden-characters.ts';
import { problem } from './problems.ts';

/** A problem with a text, with the characters of the text that a reader does not see. */
export function withHidden(problem: string | undefined, text: string): string | undefined {
  return problem && inLanguage(english.withHidden(problem, text));
}

/** A text in a problem: quoted, with hidden characters as escapes. */
export function quoted(text: string): string {
  return inLanguage(english.shown(text, text.length));
}

/** A sentence after another. @param characters as the server names them */
export function noteOf(characters: string): string {
  return ` ${problem('rule.hidden', { characters: inLanguage(characters) })}`;
}

/** What the server says of the characters of a text, in the language of the page. */
export function inLanguage(text: string): string {
  return text
    .replace(/ It has (U\+[^.]*)\.$/, (_all, characters) => noteOf(characters))
    .replaceAll(/(U\+[0-9A-F]{4,6}) at position (\d+)/g, (_all, code, position) =>
      problem('rule.characterAt', { code, position }),
    )
    .replace(/(?<=\d) and (\d+) more(?=[).])/, (_all, count) => ` ${problem('rule.moreHidden', { count })}`);
}
