/**
 * One word of a POSIX shell in a command that is shown to somebody. An imported record can have a name with characters that mean
 * something to a shell.
 */
export function shellWord(text: string): string {
  return /^[\w.:@/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A command of this command line to paste into a shell, with names in place of `{placeholders}`. A name that begins with `-` stands
 * behind `--` or `=`, where it is no option.
 */
export function shellCommand(template: string, names: Readonly<Record<string, string>>): string {
  let [command, operand] = [template, ''];
  for (const [placeholder, name] of Object.entries(names)) {
    const [place, word] = [` {${placeholder}}`, shellWord(name)];
    const option = new RegExp(`( --[\\w-]+)${place}`);
    if (!name.startsWith('-')) command = command.replace(place, () => ` ${word}`);
    else if (option.test(command)) command = command.replace(option, (_all, flag) => `${flag}=${word}`);
    else if (command.includes(place)) [command, operand] = [command.replace(place, ''), ` -- ${word}`];
  }
  return command + operand;
}
