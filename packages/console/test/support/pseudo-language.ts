import type { Page } from 'playwright-core';
import { placeholder } from '../../src/texts/format.ts';

const kept = new RegExp(`(${placeholder.source}|</?\\w+>)`);

/** A table in which every letter of every text is a full-width one, such as "Ｓａｖｅ". */
export function pseudoTable(english: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudoText(text)]));
}

function pseudoText(text: string): string {
  // Each placeholder or tag is followed by its own parts.
  return text
    .split(kept)
    .map((part, index) => (index % 5 === 0 ? pseudo(part) : index % 5 === 1 ? pseudoForms(part) : ''))
    .join('');
}

/** The forms of a plural are texts too. */
function pseudoForms(part: string): string {
  return part.replaceAll(/(?<==)[^|}]*/g, pseudo);
}

function pseudo(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  );
}

/** What the page shows in the letters of English, apart from data, code, and what `Intl` writes. */
export function textsInEnglish(page: Page, data: readonly string[]): Promise<readonly string[]> {
  return page.evaluate((known) => {
    const ofIntl =
      /\b(?:AM|PM|ago|in|now|yesterday|tomorrow|seconds?|minutes?|hours?|days?|sec|min|hr|Enter)\b/g;
    const found = new Set<string>();
    const check = (text: string | null | undefined) => {
      let left = (text ?? '').replaceAll(/https?:\/\/\S*/g, '');
      for (const datum of known) left = left.replaceAll(datum, '');
      if (/[A-Za-z]{2}/.test(left.replaceAll(ofIntl, ''))) found.add(text ?? '');
    };
    for (const element of document.querySelectorAll('*')) {
      if (
        element.closest(
          'script, style, noscript, code, pre, bdi, time, .chart, .changes td, [lang]:not(html)',
        ) !== null
      )
        continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label'])
        check(element.getAttribute(name));
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) check(node.textContent);
    }
    check(document.title);
    return [...found];
  }, data);
}
