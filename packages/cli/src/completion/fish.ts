import type { CompletedCommand, CompletedOption } from './command-table.ts';
import { commandPlaces, placeOf, valueOptions } from './patterns.ts';

/** A script for fish 3 and later. */
export function fishCompletion(table: readonly CompletedCommand[]): string {
  const places = valueOptions(table).map(({ place }) => place);
  return `# Completion of watchword for fish. Made by "watchword completion fish".
function __watchword_at
    set -l at ''
    set -l previous ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $previous" ${places.map(quoted).join(' ')}
            set previous ''
            continue
        end
        if contains -- "$at $word" ${commandPlaces(table).map(quoted).join(' ')}
            set at "$at $word"
        end
        set previous $word
    end
    test "$at" = "$argv[1]"
end
complete -c watchword -f
${table.flatMap(lines).join('\n')}
`;
}

function lines({ path, commands, options, values, takesFile }: CompletedCommand): string[] {
  const line = `complete -c watchword -n ${quoted(`__watchword_at ${quoted(placeOf(path))}`)}`;
  return [
    ...commands.map(({ name, description }) => `${line} -a ${quoted(name)} -d ${quoted(description)}`),
    ...(values.length === 0 ? [] : [`${line} -a ${quoted(values.join(' '))}`]),
    ...(takesFile ? [`${line} -F`] : []),
    ...options.map((option) => `${line} ${completeOption(option)} -d ${quoted(option.description)}`),
  ];
}

function completeOption({ name, takesValue, values, takesFile }: CompletedOption): string {
  const long = `-l ${quoted(name.replace(/^--/, ''))}`;
  if (!takesValue) return long;
  if (takesFile) return `${long} -r -F`;
  return values.length === 0 ? `${long} -x` : `${long} -x -a ${quoted(values.join(' '))}`;
}

/** A word of fish, whatever it contains. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
