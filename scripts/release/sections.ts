/** A heading of a Markdown text, and what follows it up to the next heading of the same level or a higher one. */
export interface Section {
  readonly title: string;
  /** Without blank lines around it. */
  readonly text: string;
}

/**
 * The sections of a level of a Markdown text. The first one has no title: it is what stands before the first heading of this level.
 *
 * @param level 2 for `##`
 */
export function sections(text: string, level: number): Section[] {
  const heading = new RegExp(`^#{${level}} +(.*)$`);
  const found: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode;
    const [, title] = isCode ? [] : (heading.exec(line) ?? []);
    if (title === undefined) found.at(-1)?.lines.push(line);
    else found.push({ title: title.trim(), lines: [] });
  }
  return found.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }));
}
