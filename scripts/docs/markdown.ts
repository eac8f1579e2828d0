/** The id of a heading, as GitHub makes it. The headings of the site have the same, so that a link works in both. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

const fence = /^( *)```.*\n[\s\S]*?^\1```$/gm;

/** The ids of the headings of a text. */
export function anchors(text: string): string[] {
  return [...text.replaceAll(fence, '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slug(title));
}

/** Replaces the links of a text to other files. Those to other hosts and those in code stay as they are. */
export function replaceLinks(text: string, replace: (title: string, link: string) => string): string {
  return outsideOfCode(text, (part) =>
    part.replaceAll(
      /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (whole, title: string, link: string) => (/^[a-z]+:/.test(link) ? whole : replace(title, link)),
    ),
  );
}

/** Changes the text outside of code blocks. */
export function outsideOfCode(text: string, change: (part: string) => string): string {
  let end = 0;
  let changed = '';
  for (const found of text.matchAll(fence)) {
    changed += change(text.slice(end, found.index)) + found[0];
    end = found.index + found[0].length;
  }
  return changed + change(text.slice(end));
}

/** The cells as a row of a table. */
export function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
}

/** A text that Markdown shows as it is. Addresses become code, because most of them are examples. */
export function plain(text: string): string {
  return text
    .split(/((?:https?|postgres):\/\/[^\s,;"]*[^\s,;".])/)
    .map((part, index) => (index % 2 === 1 ? code(part) : part.replaceAll(/[\\`*_<>[\]|{}#]/g, '\\$&')))
    .join('');
}

export function code(text: string): string {
  return `\`${text}\``;
}
