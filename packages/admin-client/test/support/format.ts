/** Characters of a line. */
export const width = 110;

/** A text on one line if it fits, and else in its other form. */
export function fit(line: string, other: () => string): string {
  return line.length <= width && !line.includes('\n') ? line : other();
}

/** Items between brackets, which stand on lines of their own if one line is too short. */
export function list(start: string, items: readonly string[], end: string, indent: string): string {
  const padding = start.endsWith('{') ? ' ' : '';
  return fit(`${start}${padding}${items.join(', ')}${padding}${end}`, () => {
    const lines = items.map((item) => fit(`${indent}  ${item},`, () => pattern(`${indent}  `, `${item},`)));
    return [start, ...lines, `${indent}${end}`].join('\n');
  });
}

/** An object pattern whose members stand on lines of their own. */
function pattern(indent: string, item: string): string {
  const [, members = '', end = ''] = /^\{ (.*) (\}[^}]*\}?,)$/.exec(item) ?? [];
  return list(`${indent}{`, members.split(', '), end, indent);
}

export function comment(text: string | undefined, indent: string): string[] {
  if (text === undefined) return [];
  const line = `${indent}/** ${text} */`;
  if (line.length <= width) return [line];
  return [`${indent}/**`, ...wrapped(text, `${indent} * `), `${indent} */`];
}

function wrapped(text: string, prefix: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${prefix}${word}`);
  }
  return lines;
}
