/** The contents of the code blocks in a language, with the indented ones. */
export function blocks(language: string, text: string): string[] {
  const fenced = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm');
  return [...text.matchAll(fenced)].map(([, indent = '', content = '']) =>
    content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** The commands of a block, each on one line. */
export function lines(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n');
}

/** The words of a command, without quotation marks. */
export function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

/** As `wc -w` counts them. */
export function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** The texts in backticks outside of code blocks. */
export function codeSpans(text: string): string[] {
  const running = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
  return [...running.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));
}

/** The text from a heading to the next one. */
export function section(title: string, text: string): string {
  const found = new RegExp(`^#+ ${title}\\n([\\s\\S]*?)(?=^#+ |(?![\\s\\S]))`, 'm').exec(text);
  if (found?.[1] === undefined) throw new Error(`there is no heading "${title}"`);
  return found[1];
}

/** The steps of a numbered list, in order. */
export function steps(text: string): string[] {
  return [...text.matchAll(/^\d+\. ([\s\S]*?)(?=^\d+\. |^\S|(?![\s\S]))/gm)].map(([, step = '']) => step);
}

/** A block of commands, with the comment before it that says who runs it, or why nobody does. */
export interface CommandBlock {
  readonly mark: string | undefined;
  readonly commands: string;
}

export function commandBlocks(text: string): CommandBlock[] {
  const block = /(?:^ *<!-- (.*) -->\n+)?^( *)```sh\n([\s\S]*?)^\2```$/gm;
  return [...text.matchAll(block)].map(([, mark, indent = '', content = '']) => ({
    mark,
    commands: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}
